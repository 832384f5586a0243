#!/usr/bin/env bash
# Writes the settings of one Patroni member: patroni-member.sh NAME WORK ETCD_PORT REST_PORT DATABASE_PORT BIN
set -euo pipefail
cat <<YAML
scope: postern
name: $1
restapi: { listen: "127.0.0.1:$4", connect_address: "127.0.0.1:$4" }
etcd3: { host: "127.0.0.1:$3" }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 200, wal_keep_size: 256MB }
  initdb: [ { auth-host: trust }, { auth-local: trust }, data-checksums ]
  pg_hba:
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
postgresql:
  listen: "127.0.0.1:$5"
  connect_address: "127.0.0.1:$5"
  data_dir: $2/$1
  bin_dir: $6
  pgpass: $2/$1.pgpass
  authentication:
    superuser: { username: postgres, password: trial }
    replication: { username: replicator, password: trial }
    rewind: { username: postgres, password: trial }
  parameters: { unix_socket_directories: "" }
YAML

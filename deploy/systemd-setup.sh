#!/bin/sh
# Sets Postern up as a systemd service, or updates it after a pull. Run it as root from a checkout such as /opt/postern.
# With DESTDIR the files go below that folder, and neither users nor systemd are changed.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
cd "$root"
umask 022
target=${DESTDIR:-}

fail() {
  echo "systemd-setup: $*" >&2
  exit 1
}

node=$(command -v node) || fail 'Node.js is missing. Install 20.19 or later for all users: https://nodejs.org'
if [ -z "$target" ]; then
  [ "$(id -u)" = 0 ] || fail 'run it as root: sudo deploy/systemd-setup.sh'
  command -v systemctl > /dev/null || fail 'systemctl is missing; this machine does not run systemd.'
  for path in "$root" "$(readlink -f "$node")"; do
    case $path in
      /home/* | /root/*)
        fail "$path is in a home folder, which the unit hides from the service. Clone to /opt/postern, and install Node.js for all users." ;;
    esac
  done
  id postern > /dev/null 2>&1 ||
    useradd --system --home-dir /var/lib/postern --shell /usr/sbin/nologin postern
fi

npm ci --omit=dev
npm run build

# Settings that exist are kept.
[ -e "$target/etc/postern/postern.env" ] || install -m 0600 -D /dev/null "$target/etc/postern/postern.env"
install -d "$target/etc/systemd/system" "$target/usr/local/sbin"
sed -e "s#/opt/postern#$root#g" -e "s#/usr/bin/node#$node#" deploy/postern.service \
  > "$target/etc/systemd/system/postern.service"
ln -sf "$root/deploy/posternctl" "$target/usr/local/sbin/posternctl"

[ -z "$target" ] || exit 0
systemctl daemon-reload
systemctl enable postern
systemctl restart postern
cat << 'END'
Postern is set up.
  Settings:  /etc/postern/postern.env, then: systemctl restart postern
  Commands:  posternctl doctor
  Log:       journalctl -u postern (the first start prints the dashboard's set-up link)
END

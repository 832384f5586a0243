import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeMmdb } from '../../test/support/write-mmdb.ts';
import { parseIpAddress } from '../model/ip-address.ts';
import { loadOperatorDatabase, type OperatorDatabase, openOperatorDatabase } from './operator-mmdb.ts';

const builtAt = new Date('2026-10-01T00:00:00Z');

function kindOf(database: OperatorDatabase, text: string): string | undefined {
  const ip = parseIpAddress(text);
  return ip && database.kindOf(ip);
}

it('reads GeoIP2 Anonymous IP', () => {
  const database = openOperatorDatabase(
    writeMmdb(
      'GeoIP2-Anonymous-IP',
      {
        '1.1.1.0/24': { is_anonymous: true, is_anonymous_vpn: true, is_hosting_provider: true },
        '1.1.2.0/24': { is_anonymous: true, is_hosting_provider: true },
        '1.1.3.4/32': { is_anonymous: true, is_tor_exit_node: true, is_anonymous_vpn: true },
        '1.1.4.0/24': { is_anonymous: true, is_residential_proxy: true },
        '1.1.5.0/24': { is_anonymous: true },
        '2a00:1::/32': { is_anonymous: true, is_public_proxy: true },
      },
      builtAt,
    ),
  );
  expect(database.version).toBe('GeoIP2-Anonymous-IP 2026-10-01');
  expect(kindOf(database, '1.1.1.200')).toBe('vpn');
  expect(kindOf(database, '::ffff:1.1.1.200')).toBe('vpn');
  expect(kindOf(database, '1.1.2.1')).toBe('hosting');
  expect(kindOf(database, '1.1.3.4')).toBe('tor');
  expect(kindOf(database, '1.1.3.5')).toBeUndefined();
  expect(kindOf(database, '1.1.4.1')).toBe('proxy');
  expect(kindOf(database, '1.1.5.1')).toBeUndefined();
  expect(kindOf(database, '2a00:1::9')).toBe('proxy');
  expect(kindOf(database, '2a00:2::9')).toBeUndefined();
});

it('reads IPinfo’s privacy flags, as booleans, as text and nested, and lets a relay be one', () => {
  const database = openOperatorDatabase(
    writeMmdb(
      'ipinfo privacy',
      {
        '1.1.1.0/24': { hosting: 'true', vpn: 'true', relay: '', tor: '', proxy: '', service: 'NordVPN' },
        '1.1.2.0/24': { hosting: true, relay: true, vpn: true },
        '1.1.3.0/24': { privacy: { hosting: true, vpn: false } },
        '1.1.4.0/24': { hosting: 'false', vpn: false },
      },
      builtAt,
    ),
  );
  expect(kindOf(database, '1.1.1.1')).toBe('vpn');
  expect(kindOf(database, '1.1.2.1')).toBe('relay');
  expect(kindOf(database, '1.1.3.1')).toBe('hosting');
  expect(kindOf(database, '1.1.4.1')).toBeUndefined();
});

it('opens a file, and says what is wrong with one that is not a database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mmdb-'));
  try {
    const file = join(folder, 'anonymous.mmdb');
    await writeFile(
      file,
      writeMmdb('GeoIP2-Anonymous-IP', { '1.1.1.0/24': { is_tor_exit_node: true } }, builtAt),
    );
    expect(kindOf(await loadOperatorDatabase(file), '1.1.1.1')).toBe('tor');
    await writeFile(file, 'not a database');
    await expect(loadOperatorDatabase(file)).rejects.toThrow('not a MaxMind database');
  } finally {
    await rm(folder, { recursive: true });
  }
});

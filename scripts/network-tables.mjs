/**
 * `node scripts/network-tables.mjs`: writes the tables of networks and countries in packages/service/lists/networks from
 * the npm packages of ip-location-db, which only developers install: they are 82 MB, these files 3 MB. A test holds that
 * both say the same. packages/service/src/feeds/bundled-networks.ts describes the form.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from './build-steps.mjs';
import { ROOT, run, say } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const FOLDER = join(ROOT, 'packages/service/lists/networks');
const TABLES = { asn: 'announced.csv.gz', 'asn-country': 'countries.csv.gz' };

/** What the licences want in every copy. */
function licences(folder) {
  const files = readdirSync(folder).filter((name) => /LICENSE|MODIFICATIONS/.test(name));
  return files.flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
}

function* rangeLines({ first, last, label }, labels, seen) {
  let before = -1n;
  for (let i = 0; i < first.length; i += 1) {
    const index = label[i];
    const text = seen.has(index) ? index : `+${labels[index]}`;
    seen.add(index);
    yield `${BigInt(first[i]) - before - 1n},${BigInt(last[i]) - BigInt(first[i])},${text}`;
    before = BigInt(last[i]);
  }
}

await run(async () => {
  await ensureInstalled({ dev: true });
  await build({ only: ['code'] });
  const { createRangeTableReader } = await import('../packages/service/dist/feeds/read-range-csv.js');
  const { linesOf } = await import('../packages/service/dist/feeds/read-lines.js');
  for (const [name, file] of Object.entries(TABLES)) {
    const source = dirname(createRequire(import.meta.url).resolve(`@ip-location-db/${name}/package.json`));
    const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
    const reader = createRangeTableReader();
    for (const line of linesOf(join(source, `${name}-ipv4-num.csv`))) reader.addIpv4(line);
    for (const line of linesOf(join(source, `${name}-ipv6-num.csv`))) reader.addIpv6(line);
    const { ipv4, ipv6, labels } = reader.finish();
    const seen = new Set();
    const lines = [
      ...[
        `Made by scripts/network-tables.mjs from @ip-location-db/${name} ${version}.`,
        ...licences(source),
      ].map((line) => `# ${line}`),
      ...rangeLines(ipv4, labels, seen),
      'ipv6',
      ...rangeLines(ipv6, labels, seen),
    ];
    const packed = gzipSync(`${lines.join('\n')}\n`, { level: 9 });
    writeFileSync(join(FOLDER, file), packed);
    say(`${file}: ${lines.length} lines, ${packed.length} bytes`);
  }
});

/**
 * `npm run bench -- --pages [--requests 200]`: how many pages of 4 KiB a request writes to SQLite’s write-ahead log when it
 * is the only one. The figure does not depend on how busy the machine is.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import Libsql from 'libsql';
import { resultsSection, whole } from './results.ts';
import { BODIES, measure, startServiceTarget } from './validate-path.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '200' }, quick: { type: 'boolean', default: false } },
});
const REQUESTS = values.quick ? 20 : Number(values.requests);
const FILLING_SECONDS = values.quick ? 2 : 6;
const FIRST_PERSON = 10_000_000;

/** The salt that all frames since the log’s last start have, and the page of each. See https://www.sqlite.org/walformat.html */
async function framesOf(log: string): Promise<{ readonly salt: number; readonly frames: number[] }> {
  const bytes = await readFile(log);
  const pageSize = bytes.readUInt32BE(8);
  const salt = bytes.readUInt32BE(16);
  const frames: number[] = [];
  for (let at = 32; at + 24 + pageSize <= bytes.length; at += 24 + pageSize) {
    if (bytes.readUInt32BE(at + 8) !== salt) break;
    frames.push(bytes.readUInt32BE(at));
  }
  return { salt, frames };
}

/** Which table or index each page belongs to. Pages of none are the file’s own, such as its map of pages. */
function ownersOf(file: string): Map<number, string> {
  const connection = new Libsql(file);
  const rows = connection.prepare('SELECT pageno, name FROM dbstat').raw(true).all() as [number, string][];
  connection.close();
  return new Map(rows);
}

const results = resultsSection(
  'Database pages written per request',
  'pages',
  `SQLite, ${REQUESTS} people one after the other, after ${FILLING_SECONDS} s at 64 connections.`,
);
const bench = await startServiceTarget();
const { running, headers } = bench.target;
const filled = await measure('fill', bench.target, 64, FILLING_SECONDS);
for (let person = 0; ; person += REQUESTS) {
  const before = await framesOf(bench.log);
  for (let at = person; at < person + REQUESTS; at += 1) {
    const digits = String(FIRST_PERSON + at);
    const letters = digits.replace(/[0-9]/g, (digit) => 'eaionrtslu'[Number(digit)] ?? '');
    const body = (BODIES[at % BODIES.length] ?? '').replaceAll('########', digits);
    const request = { method: 'POST', headers, body: body.replaceAll('~~~~~~~~', letters) };
    const answer = await fetch(`${running.url}/validate`, request);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  const after = await framesOf(bench.log);
  // A checkpoint may have started the log again meanwhile.
  if (after.salt !== before.salt) continue;
  const written = after.frames.slice(before.frames.length);
  const perRequest = (pages: number) => (pages / REQUESTS).toFixed(1);
  const owners = ownersOf(bench.log.replace(/-wal$/, ''));
  const byOwner = new Map<string, number>();
  for (const page of written) {
    const owner = owners.get(page) ?? 'the file’s own';
    byOwner.set(owner, (byOwner.get(owner) ?? 0) + 1);
  }
  results.table(
    ['written', 'pages per request'],
    [
      [`all, with ${whole(filled.total + person)} people before`, perRequest(written.length)],
      ...[...byOwner]
        .sort(([, one], [, other]) => other - one)
        .filter(([, pages]) => pages / REQUESTS >= 0.05)
        .map(([owner, pages]) => [owner, perRequest(pages)]),
    ],
  );
  break;
}
await bench.close();
if (!values.quick) await results.save();

/**
 * `npm run bench -- --pages [--requests 200]`: how many pages of 4 KiB a request writes to SQLite’s write-ahead log when it
 * is the only one. The figure does not depend on how busy the machine is.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { resultsSection, whole } from './results.ts';
import { BODIES, measure, startServiceTarget } from './validate-path.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '200' }, quick: { type: 'boolean', default: false } },
});
const REQUESTS = values.quick ? 20 : Number(values.requests);
const FILLING_SECONDS = values.quick ? 2 : 6;
const FIRST_PERSON = 10_000_000;

/** The salt that all frames since the log’s last start have, and how many those are. See https://www.sqlite.org/walformat.html */
async function framesOf(log: string): Promise<{ readonly salt: number; readonly frames: number }> {
  const bytes = await readFile(log);
  const pageSize = bytes.readUInt32BE(8);
  const salt = bytes.readUInt32BE(16);
  let frames = 0;
  for (let at = 32; at + 24 + pageSize <= bytes.length; at += 24 + pageSize) {
    if (bytes.readUInt32BE(at + 8) !== salt) break;
    frames += 1;
  }
  return { salt, frames };
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
  const pages = ((after.frames - before.frames) / REQUESTS).toFixed(1);
  results.table(['people before', 'pages per request'], [[whole(filled.total + person), pages]]);
  break;
}
await bench.close();
if (!values.quick) await results.save();

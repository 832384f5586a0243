/**
 * Sends validations and writes down which were answered 200, so that verify-counts.mjs can compare them with the store.
 *
 *   counted-load.mjs --url http://… --project ID:KEY [--url …] [--project …] --acknowledged FILE
 *     [--requests N] [--at-once 32] [--rate N] [--idempotent]
 *
 * ID:@FILE reads the key from a file, for each request anew.
 * It ends after N acknowledged requests, or at SIGTERM. With --idempotent every request has an Idempotency-Key and is
 * repeated until it is answered 200, as a careful client does it; without, a failed request is not sent again.
 */
import { createWriteStream, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    url: { type: 'string', multiple: true },
    project: { type: 'string', multiple: true },
    acknowledged: { type: 'string' },
    requests: { type: 'string', default: 'Infinity' },
    'at-once': { type: 'string', default: '32' },
    rate: { type: 'string' },
    idempotent: { type: 'boolean', default: false },
  },
});
const projects = values.project.map((pair) => pair.split(':'));
const wanted = Number(values.requests);
const { Agent, request } = values.url[0].startsWith('https:') ? https : http;
const agent = new Agent({ keepAlive: true });
const run = `${process.pid}-${Date.now().toString(36)}`;
const acknowledged = createWriteStream(values.acknowledged, { flags: 'a' });
const results = new Map();
let answered = 0;
let sent = 0;
let ending = false;
let longestGapMs = 0;
let lastAnswerAt = performance.now();
process.once('SIGTERM', () => {
  ending = true;
});

const readKey = (key) => (key.startsWith('@') ? readFileSync(key.slice(1), 'utf8').trim() : key);

function validate(number, id, project, key) {
  const headers = { authorization: `Bearer ${readKey(key)}`, 'x-project-id': project, 'x-request-id': id };
  if (values.idempotent) headers['idempotency-key'] = id;
  const url = values.url[number % values.url.length];
  return new Promise((resolve) => {
    const asked = request(`${url}/validate`, { agent, method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
      answer.once('error', () => resolve('unanswered'));
    });
    asked.setTimeout(30_000, () => asked.destroy());
    asked.once('error', ({ code }) => resolve(code === 'ECONNREFUSED' ? 'not connected' : 'unanswered'));
    asked.end(
      JSON.stringify({ email: `p${run}.${number}@gmail.com`, fingerprintHash: `device-${number % 5_000}` }),
    );
  });
}

function acknowledge(project, id) {
  const now = performance.now();
  longestGapMs = Math.max(longestGapMs, now - lastAnswerAt);
  lastAnswerAt = now;
  answered += 1;
  acknowledged.write(`${project} ${id}\n`);
}

async function sendOne() {
  sent += 1;
  const number = sent;
  const id = `${run}-${number}`;
  const [project, key] = projects[number % projects.length];
  for (;;) {
    const result = await validate(number, id, project, key);
    results.set(result, (results.get(result) ?? 0) + 1);
    if (result === 200) return acknowledge(project, id);
    // A service that is down answers at once; asking without a pause would only heat the machine.
    await pause(result === 'not connected' ? 100 : 20);
    if (!values.idempotent) return;
  }
}

const started = performance.now();
const due = () =>
  values.rate === undefined ? Infinity : ((performance.now() - started) / 1_000) * Number(values.rate);
await Promise.all(
  Array.from({ length: Number(values['at-once']) }, async () => {
    while (!ending && answered < wanted) {
      if (sent < due()) await sendOne();
      else await pause(5);
    }
  }),
);
agent.destroy();
await new Promise((resolve) => acknowledged.end(resolve));
const seconds = (performance.now() - started) / 1_000;
const counts = Object.fromEntries([...results].map(([result, count]) => [String(result), count]));
console.log(
  JSON.stringify({
    acknowledged: answered,
    seconds: Math.round(seconds),
    perSecond: Math.round(answered / seconds),
    longestGapMs: Math.round(longestGapMs),
    results: counts,
  }),
);

/**
 * Attacks a service from outside, as attack.ts says, and prints what each attack was answered as one JSON line. A process
 * of its own, so that the honest requests beside it are timed by somebody who is not busy.
 */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

setPriority(Math.min(19, getPriority() + 10));
const { port, seconds, only, projectId, clientKey, origin, cookie, streamPath } = JSON.parse(
  await text(process.stdin),
);
const until = Date.now() + seconds * 1_000;
const counts = {};
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let number = 0;

function count(attack, what) {
  counts[attack] ??= {};
  counts[attack][what] = (counts[attack][what] ?? 0) + 1;
}

/** One request that is read to its end. */
function ask(attack, path, headers, body) {
  const sent = request({ port, path, method: 'POST', agent, headers }, (response) => {
    count(attack, response.statusCode);
    response.resume();
    response.on('error', () => {});
  });
  sent.on('error', (error) => count(attack, error.code ?? 'error'));
  sent.end(body);
}

const page = { 'content-type': 'application/json', 'x-project-id': projectId, origin };

/** Calls `work` that often each second, evenly, whatever came of the earlier calls. */
function atRate(perSecond, work) {
  const began = Date.now();
  let done = 0;
  const timer = setInterval(() => {
    for (; done < ((Date.now() - began) / 1_000) * perSecond; done += 1) work();
    if (Date.now() >= until) clearInterval(timer);
  }, 10);
}

/** Keeps that many connections open, and opens a new one when one ends. */
function keepOpen(attack, connections, begin) {
  const open = () => {
    if (Date.now() >= until) return;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.once('connect', () => {
      count(attack, 'opened');
      begin(socket);
    });
    // Not at once: a client that is refused in a loop would only measure itself.
    socket.once('close', () => setTimeout(open, 500));
    setTimeout(() => socket.destroy(), Math.max(0, until - Date.now()));
  };
  for (let each = 0; each < connections; each += 1) open();
}

const get = (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
/** An address from a range that belongs to nobody in particular here; the service sees it as the visitor’s. */
const ipv4 = () => `93.184.${number % 256}.${(number >> 8) % 256}`;

function floodOfBadKeys() {
  atRate(200, () => {
    const authorization = `Bearer pk_live_${'x'.repeat(30)}${number++}`;
    ask('bad keys', '/validate', { ...page, authorization }, '{"email":"a@gmail.com"}');
  });
}

function passkeyOptions() {
  const path = '/dashboard/api/auth/passkey/generate-authenticate-options';
  atRate(40, () => {
    const headers = { 'content-type': 'application/json', origin: `http://localhost:${port}` };
    ask('passkey options', path, headers, '{}');
  });
}

/** Each request is the first one about its domain, so each asks DNS. */
function distinctDomains() {
  atRate(20, () => {
    const headers = { ...page, authorization: `Bearer ${clientKey}`, 'x-forwarded-for': ipv4() };
    ask('distinct domains', '/validate', headers, `{"email":"a@domain-${number++}.com"}`);
  });
}

/** One line with a /56, which has 256 /64s. */
function ipv6Visitors() {
  atRate(50, () => {
    const subnet = (number++ % 256).toString(16);
    const headers = {
      ...page,
      authorization: `Bearer ${clientKey}`,
      'x-forwarded-for': `2a00:1450:4001:${subnet}::${(number % 65_535).toString(16)}`,
    };
    ask('IPv6 visitors', '/validate', headers, '{"email":"jane.doe@gmail.com"}');
  });
}

function pipelining() {
  keepOpen('pipelining', 20, (socket) => {
    socket.pause();
    socket.write(`${get('/docs/api')}\r\n`.repeat(2_500));
    setTimeout(() => socket.destroy(), 10_000);
  });
}

function slowReaders() {
  keepOpen('slow readers', 50, (socket) => {
    socket.pause();
    socket.write(`${get('/docs/api')}\r\n`);
  });
  keepOpen('slow headers', 50, (socket) => {
    socket.resume();
    const timer = setInterval(() => socket.write('x'), 1_000);
    socket.write(`${get('/docs/api')}x-slow: `);
    socket.once('close', () => clearInterval(timer));
  });
}

/** More streams than a member may have. */
function liveStreams() {
  keepOpen('live streams', 30, (socket) => {
    socket.once('data', (chunk) => count('live streams', chunk.toString('latin1', 9, 12)));
    socket.write(`${get(streamPath)}Cookie: ${cookie}\r\n\r\n`);
  });
}

const ATTACKS = {
  'bad keys': floodOfBadKeys,
  'passkey options': passkeyOptions,
  'distinct domains': distinctDomains,
  'IPv6 visitors': ipv6Visitors,
  pipelining,
  'slow readers': slowReaders,
  'live streams': liveStreams,
};
if (only !== undefined && ATTACKS[only] === undefined)
  throw new Error(`No attack "${only}"; there are ${Object.keys(ATTACKS).join(', ')}`);
for (const [name, begin] of Object.entries(ATTACKS)) if (only === undefined || only === name) begin();
await new Promise((resolve) => setTimeout(resolve, seconds * 1_000 + 500));
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    ...counts,
    'CPU of the attackers': `${((user + system) / seconds / 10_000).toFixed(0)}% of a core`,
  }),
);
process.exit(0);

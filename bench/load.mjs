/**
 * Sends requests over kept-alive connections and prints what it saw as one JSON line. Without a rate, each connection
 * sends its next request as soon as the last one is answered. With a rate, requests are due at regular intervals,
 * whether or not earlier ones were answered. Each one’s time counts from when it was due, so that a slow server cannot
 * hide its queue.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const { url, connections, seconds, headers, bodies, rate } = JSON.parse(await text(process.stdin));
const { hostname, port } = new URL(url);
const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
const requests = bodies.map((body) =>
  Buffer.from(
    `POST /validate HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${head.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  ),
);

/** The places of the person’s number in a request, as digits and as letters. They are overwritten for each request. */
const NUMBER = '########';
const LETTERS = '~~~~~~~~';
const placesOf = (placeholder) =>
  requests.map((request) => {
    const found = [];
    for (let at = request.indexOf(placeholder); at >= 0; at = request.indexOf(placeholder, at + 1))
      found.push(at);
    return found;
  });
const numberPlaces = placesOf(NUMBER);
const letterPlaces = placesOf(LETTERS);
/** A different start in every run, so that no person of an earlier run returns. */
const firstPerson = Math.floor(Math.random() * 80_000_000);

/** Nine of ten requests come from a new person, as for sign-ups. The tenth repeats one of them. */
function nextRequest() {
  const person = sent % 10 === 9 ? sent - 9 : sent;
  const kind = person % requests.length;
  const request = Buffer.from(requests[kind]);
  const digits = String(firstPerson + person).padStart(NUMBER.length, '0');
  for (const at of numberPlaces[kind]) request.write(digits, at, 'latin1');
  if (letterPlaces[kind].length > 0) {
    const letters = digits.replace(/[0-9]/g, (digit) => 'eaionrtslu'[digit]);
    for (const at of letterPlaces[kind]) request.write(letters, at, 'latin1');
  }
  sent += 1;
  return request;
}

const started = performance.now();
const until = started + seconds * 1000;
const due = [];
const free = [];
const times = [];
let sent = 0;
let failed = 0;
let underWay = 0;
let finish;
const finished = new Promise((resolve) => {
  finish = resolve;
});

function open() {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const line = { socket, since: 0, missing: 0 };
  socket.on('data', (chunk) => receive(line, chunk));
  socket.on('error', () => {});
  // A connection that closes during a request counts as a failure.
  socket.on('close', () => {
    if (line.since !== 0) answered(line, false);
  });
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(line));
    socket.once('error', reject);
  });
}

function send(line, since) {
  line.since = since;
  underWay += 1;
  line.socket.write(nextRequest());
}

function receive(line, chunk) {
  if (line.missing > 0) {
    line.missing -= chunk.length;
  } else {
    const bodyAt = chunk.indexOf('\r\n\r\n') + 4;
    const text = chunk.latin1Slice(0, bodyAt);
    const length = /\r\ncontent-length: *([0-9]+)/i.exec(text)?.[1];
    if (bodyAt < 4 || length === undefined) throw new Error(`Unexpected answer: ${text}`);
    line.ok = text.startsWith('HTTP/1.1 200 ');
    line.missing = bodyAt + Number(length) - chunk.length;
  }
  if (line.missing === 0) answered(line, line.ok);
}

function answered(line, ok) {
  const now = performance.now();
  if (ok) times.push(now - line.since);
  else failed += 1;
  line.since = 0;
  underWay -= 1;
  if (line.socket.destroyed) return;
  if (rate === undefined) {
    if (now < until) send(line, now);
    else if (underWay === 0) finish();
  } else if (due.length > 0) send(line, due.shift());
  else {
    free.push(line);
    if (now >= until && underWay === 0) finish();
  }
}

const lines = await Promise.all(Array.from({ length: connections }, open));
if (rate === undefined) {
  for (const line of lines) send(line, performance.now());
} else {
  free.push(...lines);
  let made = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (; made < ((Math.min(now, until) - started) / 1000) * rate; made += 1) {
      const at = started + (made / rate) * 1000;
      const line = free.pop();
      if (line === undefined) due.push(at);
      else send(line, at);
    }
    if (now < until) return;
    clearInterval(timer);
    if (underWay === 0) finish();
  }, 1);
}
await finished;
const spent = (performance.now() - started) / 1000;
for (const { socket } of lines) socket.destroy();

times.sort((one, other) => one - other);
const quantile = (share) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(1));
console.log(
  JSON.stringify({
    perSecond: times.length / spent,
    total: times.length,
    failed,
    p50: quantile(0.5),
    p99: quantile(0.99),
  }),
);

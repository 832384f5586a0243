/**
 * Sends requests and prints what came back as one JSON line. Without a rate, each connection asks again as soon as it is
 * answered. With a rate, requests are sent at even distances whether or not earlier ones were answered (open loop): a
 * request that finds no free connection opens another, up to `maxConnections`. Beyond that it is counted as withheld.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const { url, templates, people, seconds, connections, maxConnections, rate, answerLimitMs } = JSON.parse(
  await text(process.stdin),
);
const { hostname, port } = new URL(url);
/** Where a request has its person’s number: eight digits in one piece, and in the two groups of an IPv6 address. */
const NUMBER = '########';
const GROUPS = '####:####';
const kinds = templates.map((template) => {
  const bytes = Buffer.from(template);
  return { bytes, numbers: placesOf(bytes, NUMBER), groups: placesOf(bytes, GROUPS) };
});

function placesOf(bytes, wanted) {
  const found = [];
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) found.push(at);
  return found;
}

const firstPerson = Math.floor(Math.random() * 80_000_000);
let sent = 0;

function nextRequest() {
  const { bytes, numbers, groups } = kinds[sent % kinds.length];
  const digits = String(firstPerson + (sent % people)).padStart(NUMBER.length, '0');
  sent += 1;
  const request = Buffer.from(bytes);
  for (const at of numbers) request.write(digits, at, 'latin1');
  for (const at of groups) request.write(`${digits.slice(0, 4)}:${digits.slice(4)}`, at, 'latin1');
  return request;
}

/** Each status with its number of answers and a sample of their times. */
const statuses = new Map();
const SAMPLES = 20_000;
const trouble = { refused: 0, lost: 0, unanswered: 0 };
let withheld = 0;
let open = 0;
let mostOpen = 0;
let underWay = 0;
const free = [];

const started = performance.now();
const until = started + seconds * 1000;

function openLine(request) {
  open += 1;
  mostOpen = Math.max(mostOpen, open);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const line = { socket, since: 0, received: undefined, connected: false };
  socket.on('connect', () => {
    line.connected = true;
  });
  socket.on('data', (chunk) => receive(line, chunk));
  socket.on('error', () => {});
  socket.on('close', () => {
    open -= 1;
    const at = free.indexOf(line);
    if (at >= 0) free.splice(at, 1);
    if (line.since === 0) return;
    underWay -= 1;
    trouble[line.connected ? 'lost' : 'refused'] += 1;
    if (rate === undefined && performance.now() < until) setTimeout(() => openLine(nextRequest()), 10);
  });
  send(line, request);
}

function send(line, request) {
  line.since = performance.now();
  underWay += 1;
  line.socket.write(request);
}

function receive(line, chunk) {
  const received = line.received === undefined ? chunk : Buffer.concat([line.received, chunk]);
  line.received = received;
  const bodyAt = received.indexOf('\r\n\r\n') + 4;
  if (bodyAt < 4) return;
  const head = received.latin1Slice(0, bodyAt);
  const length = Number(/\r\ncontent-length: *([0-9]+)/i.exec(head)?.[1] ?? 0);
  if (received.length < bodyAt + length) return;
  line.received = undefined;
  note(head.slice(9, 12), performance.now() - line.since);
  line.since = 0;
  underWay -= 1;
  if (/\r\nconnection: *close/i.test(head)) {
    line.socket.destroy();
    if (rate === undefined && performance.now() < until) openLine(nextRequest());
  } else if (rate === undefined && performance.now() < until) send(line, nextRequest());
  else free.push(line);
}

function note(status, ms) {
  const seen = statuses.get(status) ?? { count: 0, times: [] };
  seen.count += 1;
  if (seen.times.length < SAMPLES) seen.times.push(ms);
  else if (Math.random() < SAMPLES / seen.count) seen.times[Math.floor(Math.random() * SAMPLES)] = ms;
  statuses.set(status, seen);
}

function offer() {
  const line = free.pop();
  if (line !== undefined) send(line, nextRequest());
  else if (open < maxConnections) openLine(nextRequest());
  else withheld += 1;
}

await new Promise((resolve) => {
  let due = 0;
  if (rate === undefined) for (let at = 0; at < connections; at += 1) openLine(nextRequest());
  const timer = setInterval(() => {
    const now = performance.now();
    if (rate !== undefined) for (; due < ((Math.min(now, until) - started) / 1000) * rate; due += 1) offer();
    if (now < until || (underWay > 0 && now < until + answerLimitMs)) return;
    clearInterval(timer);
    resolve();
  }, 2);
});
trouble.unanswered = underWay;

const quantile = (times, share) => Math.round(times[Math.floor(times.length * share)] ?? 0);
const answers = [...statuses].map(([status, { count, times }]) => {
  times.sort((one, other) => one - other);
  return { status, count, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
});
console.log(JSON.stringify({ sent, withheld, mostOpen, seconds, answers, ...trouble }));
process.exit();

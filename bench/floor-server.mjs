/**
 * The floor: the smallest server that does what a 200 must do. It parses the JSON, writes one log row for
 * each request and two counters in one durable transaction for each batch, signs with Ed25519 and answers the same bytes. It has no
 * key, no limit, no check and no history. `FLOOR_STORE` is a folder for SQLite or a URL of PostgreSQL.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const service = createRequire(new URL('../packages/service/package.json', import.meta.url));

/** The SQLite thread: each batch in one transaction with one sync. */
function serveSqlite() {
  const Libsql = service('libsql');
  const db = new Libsql(`${workerData}/floor.db`);
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'cache_size = -8192'])
    db.prepare(`PRAGMA ${pragma}`).all();
  db.exec(`CREATE TABLE log (id INTEGER PRIMARY KEY, row TEXT NOT NULL);
    CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO counter VALUES ('rate', 0), ('quota', 0)`);
  const append = db.prepare('INSERT INTO log (row) VALUES (?)');
  const count = db.prepare('UPDATE counter SET value = value + ? WHERE name = ?');
  parentPort.on('message', (rows) => {
    db.exec('BEGIN IMMEDIATE');
    for (const row of rows) append.run([row]);
    count.run([rows.length, 'rate']);
    count.run([rows.length, 'quota']);
    db.exec('COMMIT');
    parentPort.postMessage(0);
  });
}

function openSqlite(folder) {
  const worker = new Worker(new URL(import.meta.url), { workerData: folder });
  return (rows) =>
    new Promise((resolve) => {
      worker.once('message', resolve);
      worker.postMessage(rows);
    });
}

async function openPostgres(url) {
  const { Pool } = service('pg');
  const pool = new Pool({ connectionString: url, max: 1 });
  await pool.query(`CREATE TABLE log (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, row TEXT NOT NULL);
    CREATE TABLE counter (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
    INSERT INTO counter VALUES ('rate', 0), ('quota', 0)`);
  const text = `WITH logged AS (INSERT INTO log (row) SELECT unnest($1::text[]))
    UPDATE counter SET value = value + cardinality($1::text[])`;
  return (rows) => pool.query({ name: 'settle', text, values: [rows] });
}

async function serveHttp() {
  const { FLOOR_STORE, FLOOR_BODY, FLOOR_HEADERS } = process.env;
  const write = await (FLOOR_STORE.startsWith('postgres') ? openPostgres : openSqlite)(FLOOR_STORE);
  const answer = JSON.parse(FLOOR_BODY);
  const { 'x-postern-verdict': verdict, ...headers } = JSON.parse(FLOOR_HEADERS);
  const sign = signer(verdict);
  let batch = [];
  let writing = false;

  /** One batch at a time. Requests that arrive meanwhile form the next one. */
  async function writeBatches() {
    writing = true;
    while (batch.length > 0) {
      const taken = batch;
      batch = [];
      await write(taken.map(({ row }) => row));
      for (const { done } of taken) done();
    }
    writing = false;
  }

  const server = createServer((request, response) => {
    if (request.url === '/cpu') {
      const { user, system } = process.cpuUsage();
      response.end(String((user + system) / 1e6));
      return;
    }
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString());
      answer.metadata.fingerprintHash = asked.fingerprintHash;
      const body = JSON.stringify(answer);
      const done = () => {
        const length = Buffer.byteLength(body);
        response.writeHead(200, { ...headers, 'x-postern-verdict': sign(), 'content-length': length });
        response.end(body);
      };
      // About as long as a log row of Postern: the request’s facts and the results.
      batch.push({ row: JSON.stringify(asked) + body, done });
      if (!writing) setImmediate(() => writing || writeBatches());
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
}

/** Signs a token with the claims of a real one and a new ID. libsodium, as in Postern. */
function signer(verdict) {
  const sodium = service('sodium-native');
  const [header, payload] = verdict.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const secret = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]);
  return () => {
    claims.jti = randomUUID();
    const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const signature = Buffer.allocUnsafe(64);
    sodium.crypto_sign_detached(signature, Buffer.from(signed), secret);
    return `${signed}.${signature.toString('base64url')}`;
  };
}

if (isMainThread) await serveHttp();
else serveSqlite();

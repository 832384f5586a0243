// Takes the configurations of nginx and Caddy out of the docs, changes only ports, names and certificates, and sends requests
// through them to a real service.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import '../../scripts/typescript.mjs';

const { freePort } = await import('../../packages/service/test/support/free-port.ts');
const { startService } = await import('../../packages/service/test/support/service.ts');
const { TLS_ENV } = await import('../../packages/service/test/support/tls-service.ts');
const root = fileURLToPath(new URL('../..', import.meta.url));

async function block(file, language) {
  const text = await readFile(join(root, file), 'utf8');
  const code = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1];
  if (code === undefined) throw new Error(`${file} has no block of ${language}`);
  return code;
}

const PROXIES = {
  nginx: {
    version: ['nginx', ['-v']],
    start: async (folder, service, port) => {
      const server = (await block('docs/https.md', 'nginx'))
        .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
        .replace(/\/etc\/\S+fullchain\.pem/, TLS_ENV.POSTERN_TLS_CERT)
        .replace(/\/etc\/\S+privkey\.pem/, TLS_ENV.POSTERN_TLS_KEY)
        .replace('http://127.0.0.1:8080', 'http://postern');
      const upstream = (await block('docs/scaling.md', 'nginx')).replaceAll(
        /10\.0\.0\.1\d:8080/g,
        `127.0.0.1:${service.port}`,
      );
      const file = join(folder, 'nginx.conf');
      const files = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join('\n');
      await writeFile(
        file,
        `pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; ${files}\n${upstream}\n${server} }`,
      );
      return ['nginx', ['-c', file, '-g', 'daemon off;']];
    },
  },
  caddy: {
    version: ['caddy', ['version']],
    start: async (folder, service, port) => {
      const site = (await block('docs/https.md', 'caddy'))
        .replace('validate.example.com {', `https://validate.example.com:${port} {\n  tls internal`)
        .replace('127.0.0.1:8080', `127.0.0.1:${service.port}`);
      const file = join(folder, 'Caddyfile');
      await writeFile(
        file,
        `{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n${site}`,
      );
      return ['caddy', ['run', '--config', file, '--adapter', 'caddyfile']];
    },
  },
};

/** A request over TLS to the proxy under the docs’ host name. */
function ask(port, method, path, headers = {}, body = '') {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        servername: 'validate.example.com',
        // The certificate is a test’s own.
        rejectUnauthorized: false,
        method,
        path,
        headers: { host: 'validate.example.com', ...headers },
      },
      async (answer) => {
        let text = '';
        for await (const chunk of answer.setEncoding('utf8')) text += chunk;
        resolve({ status: answer.statusCode, headers: answer.headers, text });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

async function answering(port, child, printed) {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${printed()}`);
    const status = await ask(port, 'GET', '/healthz').then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`it does not answer:\n${printed()}`);
}

async function tryProxy(name, service, project) {
  const folder = await mkdtemp(join(tmpdir(), `postern-${name}-`));
  const port = await freePort();
  const [command, args] = await PROXIES[name].start(folder, service, port);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  try {
    await answering(port, child, () => printed);
    const headers = {
      authorization: `Bearer ${project.clientKey}`,
      'x-project-id': project.id,
      origin: 'https://app.example',
      // A visitor must not be able to choose an address.
      'cf-connecting-ip': '198.51.100.7',
    };
    const answer = await ask(port, 'POST', '/validate', headers, '{"email":"jane.doe@gmail.com"}');
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['access-control-allow-origin'], 'https://app.example');
    const { address } = JSON.parse(answer.text).checks.ip.metadata;
    assert.notEqual(address, headers['cf-connecting-ip'], 'the visitor chose the address');
    assert.equal((await ask(port, 'GET', '/docs')).status, 200);
    console.log(`${name}: requests pass, and CF-Connecting-IP of a visitor does not (judged: ${address})`);
  } finally {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null) {
      child.kill();
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  }
}

const asked = process.argv.slice(2);
const service = await startService();
try {
  const project = await service.makeProject();
  for (const name of asked.length === 0 ? Object.keys(PROXIES) : asked) {
    try {
      await promisify(execFile)(...PROXIES[name].version);
    } catch {
      console.log(`${name}: skipped, it is not installed`);
      continue;
    }
    try {
      await tryProxy(name, service, project);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: ${error.message}`);
    }
  }
} finally {
  await service.close();
}

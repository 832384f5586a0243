import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

/** Sends raw bytes and returns everything that was received. */
function raw(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(service.port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

async function stillServes(): Promise<void> {
  expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(200);
}

describe('paths and methods', () => {
  it.each([
    '/nowhere',
    '/validate/',
    '/validate/x',
    '/V1/validate',
    '/v2/validate',
    '//validate',
    '/%2e%2e/etc/passwd',
  ])('%s is not found', async (path) => {
    const answer = await service.ask({ method: 'POST', path, body: '{}' });
    expect([answer.status, answer.json]).toEqual([404, { error: 'Not found' }]);
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'QUERY', 'PROPFIND'])(
    '%s /validate is refused with the allowed methods',
    async (method) => {
      const answer = await service.ask({ method, path: '/validate' });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('POST, OPTIONS');
      if (method !== 'HEAD') expect(answer.json).toEqual({ error: 'Method not allowed' });
    },
  );

  it.each(['FOO /validate', 'post /v1/validate', 'X-Y /validate?a=b'])(
    '%s, an unknown method, is refused with the allowed methods',
    async (line) => {
      const text = await raw(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\nAllow: POST, OPTIONS\r\n/);
      expect(text.split('\r\n\r\n')[1]).toBe('{"error":"Method not allowed"}');
      await stillServes();
    },
  );

  it('an unknown path is not found with any method or Content-Type', async () => {
    for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': ';' }]) {
      const unknown = await service.ask({ method: 'QUERY', path: '/nowhere', headers, body: '{}' });
      expect([unknown.status, unknown.json]).toEqual([404, { error: 'Not found' }]);
      const known = await service.ask({ method: 'QUERY', path: '/healthz', headers, body: '{}' });
      expect([known.status, known.headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('a path that cannot be decoded is a 400', async () => {
    const answer = await service.ask({ method: 'POST', path: '/%zz' });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.json)).toEqual(['error']);
  });
});

describe('sizes', () => {
  it('a body of exactly 16 KiB is read, one byte more is not', async () => {
    const start = '{"email":"jane.doe@gmail.com","more":"';
    const fill = (size: number) => `${start}${'x'.repeat(size - start.length - 2)}"}`;
    expect((await project.validate(fill(16_384))).status).toBe(200);
    const over = await project.validate(fill(16_385));
    expect([over.status, over.json]).toEqual([413, { error: 'Request body exceeds 16 KiB' }]);
    // The rest of the body is not read, and the connection ends.
    expect(over.headers.connection).toBe('close');
    await stillServes();
  });

  it('headers that are too long are a 431, in JSON', async () => {
    const text = await raw(`POST /validate HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(text).toContain('{"error":"Request header fields too large"}');
    await stillServes();
  });
});

describe('many header fields', () => {
  it('do not hide the fields after them', async () => {
    const body = JSON.stringify({ email: 'jane.doe@gmail.com' });
    const text = await raw(
      `POST /validate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'a:\r\n'.repeat(1_500)}` +
        `Authorization: Bearer ${project.clientKey}\r\nX-Project-Id: ${project.id}\r\nOrigin: https://app.example\r\n` +
        `X-Forwarded-For: 198.51.100.7\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toContain('"address":"198.51.100.7"');
  });
});

describe('requests that Node would answer by itself', () => {
  it('an unknown expectation is ignored', async () => {
    const text = await raw(
      'POST /validate HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    expect(text).toContain('{"error":"Invalid API key"}');
  });

  it('CONNECT is refused like other unknown methods', async () => {
    const text = await raw('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 405 /);
    expect(text).toContain('{"error":"Method not allowed"}');
  });

  it('HEAD is answered like GET', async () => {
    for (const path of [
      '/healthz',
      '/readyz',
      '/docs',
      '/openapi.json',
      '/metrics',
      '/.well-known/jwks.json',
    ]) {
      const answer = await service.ask({ method: 'HEAD', path });
      expect([answer.status, answer.text], path).toEqual([200, '']);
    }
  });
});

describe('a request that HTTP does not allow', () => {
  const post = (line: string, headers: string) => {
    const body = JSON.stringify({ email: 'jane.doe@gmail.com' });
    return (
      `${line}\r\n${headers}Authorization: Bearer ${project.serverKey}\r\nX-Project-Id: ${project.id}\r\n` +
      `Origin: https://app.example\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
  const LINE = 'POST /validate HTTP/1.1';

  it.each([
    ['no Host', LINE, '', 400, 'Exactly one Host header is required'],
    ['an empty Host', LINE, 'Host: \r\n', 400, 'Exactly one Host header is required'],
    ['two Hosts', LINE, 'Host: x\r\nHost: y\r\n', 400, 'Exactly one Host header is required'],
    ['the same Host twice', LINE, 'Host: x\r\nhost: x\r\n', 400, 'Exactly one Host header is required'],
    ['no version', 'POST /validate', 'Host: x\r\n', 400, 'Malformed HTTP request'],
    ['HTTP/2.0', 'POST /validate HTTP/2.0', 'Host: x\r\n', 400, 'Malformed HTTP request'],
    [
      'a compressed body',
      LINE,
      'Host: x\r\nContent-Encoding: gzip\r\n',
      415,
      'Request body must not be compressed',
    ],
    [
      'a list of encodings',
      LINE,
      'Host: x\r\nContent-Encoding: identity, gzip\r\n',
      415,
      'Request body must not be compressed',
    ],
  ])('%s', async (_name, line, headers, status, error) => {
    const text = await raw(post(line, headers));
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text.split('\r\n\r\n')[1]).toBe(JSON.stringify({ error }));
    // Nothing was validated, so there is no quota to report.
    expect(text).not.toContain('\r\nX-Quota');
  });

  it('does not include HTTP/1.0 without Host, or the identity encoding', async () => {
    const server = (line: string, headers: string) =>
      post(line, headers).replace('Origin: https://app.example\r\n', '');
    expect(await raw(server('POST /validate HTTP/1.0', ''))).toMatch(/^HTTP\/1\.1 200 /);
    const identity = 'Host: x\r\nContent-Encoding: identity\r\nConnection: close\r\n';
    expect(await raw(server(LINE, identity))).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('every error that a connection gets', () => {
  it.each([
    [
      '431',
      `POST /validate HTTP/1.1\r\nHost: x\r\nOrigin: https://app.example\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    ['405', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nOrigin: https://app.example\r\n\r\n'],
    ['400', 'POST /validate HTTP/1.1\r\nHost: x\r\nOrigin: https://app.example\r\nBad Name: x\r\n\r\n'],
    ['400', 'POST /validate HTTP/1.1\r\nOrigin: https://app.example\r\n\r\n'],
  ])('%s can be read by the requesting page, and is not cached', async (status, bytes) => {
    const text = await raw(bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toContain('\r\nAccess-Control-Allow-Origin: https://app.example\r\n');
    expect(text).toContain('\r\nCache-Control: no-store\r\n');
    expect(text).toContain('\r\nVary: Origin\r\n');
    expect(text).toContain('\r\nX-Request-Id: ');
  });

  it('has no CORS origin if none is known', async () => {
    expect(await raw('nonsense\r\n\r\n')).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
  });
});

describe('a missing file of the dashboard', () => {
  it('is a 404 in JSON', async () => {
    const answer = await service.ask({ path: '/dashboard/assets/x' });
    expect([answer.status, answer.json]).toEqual([404, { error: 'Not found' }]);
  });
});

describe('bytes that are not a request', () => {
  it.each([
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01',
    'POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n',
    'POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ])('%j gets only a JSON error', async (bytes) => {
    const text = await raw(bytes);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.split('\r\n\r\n')[1]).toBe('{"error":"Malformed HTTP request"}');
    await stillServes();
  });
});

describe('bytes after a request', () => {
  it.each([
    ['a request that is refused', 'POST /validate\r\n\r\nnonsense\r\n\r\n'],
    ['a request without Host', 'GET /healthz HTTP/1.1\r\n\r\nnonsense\r\n\r\n'],
    ['the last request', 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nnonsense\r\n\r\n'],
  ])('get no separate answer after %s', async (_name, bytes) => {
    expect((await raw(bytes)).match(/HTTP\/1\.1 \d+ /g)).toHaveLength(1);
  });

  it('are answered after the request, never before it', async () => {
    const text = await raw('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n');
    expect(text.match(/HTTP\/1\.1 \d+ /g)).toEqual(['HTTP/1.1 200 ', 'HTTP/1.1 400 ']);
  });

  it('are malformed whatever came before them', async () => {
    const text = await raw('POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}XX\r\n\r\n');
    expect(text).toContain('{"error":"Malformed HTTP request"}');
    expect(text).not.toContain('HTTP/1.1 405');
  });
});

describe('hostile bodies', () => {
  const hostile: [string, unknown][] = [
    ['a long run of dots', { email: `${'a.'.repeat(8_000)}@gmail.com` }],
    ['many at signs', { email: '@'.repeat(16_000) }],
    ['many quotes', { email: `"${'\\"'.repeat(4_000)}"@gmail.com` }],
    ['a long domain', { email: `a@${'a.'.repeat(8_000)}com` }],
    ['many labels beyond ASCII', { email: `a@${'ü.'.repeat(4_000)}com` }],
    ['combining marks', { email: `a${'\u0301'.repeat(5_000)}@gmail.com` }],
    ['a number as address', { email: 1e308 }],
    ['deep objects', `{"email":"a@gmail.com","validations":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}`],
    ['SQL', { email: "a'; drop table project; --@gmail.com", fingerprintHash: "'; drop table project; --" }],
    [
      'many keys',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, at]))),
    ],
  ];
  it.each(hostile)('%s', async (_name, body) => {
    const { status, json } = await project.validate(body);
    expect([200, 400]).toContain(status);
    if (status === 400) expect(Object.keys(json)).toEqual(['error']);
    await stillServes();
  });

  it('no header value causes a 500', async () => {
    for (const headers of [
      { 'x-project-id': '__proto__' },
      { 'x-project-id': 'ü' },
      { origin: 'ü' },
      { 'x-forwarded-for': ','.repeat(4_000) },
      { 'user-agent': '(((('.repeat(2_000) },
      { authorization: 'Bearer ' },
    ] as Record<string, string>[]) {
      const { status, json } = await project.validate({ email: 'jane.doe@gmail.com' }, headers);
      expect(status).toBeLessThan(500);
      if (status !== 200) expect(Object.keys(json)).toEqual(['error']);
    }
  });
});

describe('the log', () => {
  it('contains no address, key or IP', async () => {
    await project.validate({
      email: 'very.secret.person@gmail.com',
      ip: '203.0.114.77',
      fingerprintHash: 'secret-device',
    });
    await project.validate(
      { email: 'very.secret.person@gmail.com' },
      { authorization: 'Bearer pst_server_live_wrong' },
    );
    const output = service.output();
    for (const secret of [
      'very.secret.person',
      project.serverKey,
      '203.0.114.77',
      'secret-device',
      'pst_server_live_wrong',
    ]) {
      expect(output).not.toContain(secret);
    }
  });
});

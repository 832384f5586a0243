import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from '../../../test/support/test-certificate.ts';
import { createCidrSet, parseCidr } from '../../model/cidr.ts';
import { createSafeFetch, type SafeFetchOptions, type SafeRequest } from './safe-fetch.ts';

let server: Server;
let port: number;
let answer: RequestListener;
let requests: { method: string; url: string; headers: Record<string, unknown>; body: string }[];

beforeEach(async () => {
  requests = [];
  answer = (_, response) => response.end('fine');
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body });
    answer(request, response);
  });
  port = await listen(server);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(on: Server): Promise<number> {
  await new Promise<void>((resolve) => on.listen(0, '127.0.0.1', resolve));
  return (on.address() as AddressInfo).port;
}

const here = (path = '') => `http://127.0.0.1:${port}/${path}`;
const ranges = (...texts: string[]) => createCidrSet(texts.flatMap((text) => parseCidr(text) ?? []));
const LOOPBACK: SafeFetchOptions = { allow: ranges('127.0.0.1/32') };

const fetchWith = (options: SafeFetchOptions, request: Partial<SafeRequest> & { url: string }) =>
  createSafeFetch(options)({ maxBytes: 10_000, timeoutMs: 20_000, ...request });

const textWith = async (options: SafeFetchOptions, request: Partial<SafeRequest> & { url: string }) =>
  (await (await fetchWith(options, request)).bytes()).toString();

const expectPrivate = (fetched: Promise<unknown>) =>
  expect(fetched).rejects.toMatchObject({ reason: 'private-address' });

describe('an address that is not public', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::127.0.0.1]:PORT/',
    'http://[64:ff9b:1::127.0.0.1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://168.63.129.16/machine',
    'http://100.100.100.200/',
    'http://100.64.0.1/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fec0::1]/',
    'http://[2001:db8::1]/',
    'http://[ff02::1]/',
    'http://localhost:PORT/',
  ])('is refused: %s', async (url) => {
    await expectPrivate(fetchWith({}, { url: url.replace('PORT', String(port)) }));
    expect(requests).toEqual([]);
  });

  it.each(['127.0.0.1', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0', '64:ff9b::a00:1', 'nonsense'])(
    'is refused when a name resolves to it: %s',
    async (address) => {
      const refused = fetchWith({ resolve: async () => [address] }, { url: `http://list.example:${port}/` });
      await expect(refused).rejects.toThrow('list.example points to a private address');
      expect(requests).toEqual([]);
    },
  );

  it('is left out when a name also has public ones', async () => {
    const answered = await textWith(
      { ...LOOPBACK, resolve: async () => ['10.0.0.1', '127.0.0.1', '::1'] },
      { url: `http://list.example:${port}/` },
    );
    expect(answered).toBe('fine');
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:PORT/secret'],
    ['the cloud’s metadata', 'http://169.254.169.254/latest'],
    ['[::1]', 'http://[::1]:PORT/secret'],
    ['a decimal host', 'http://2130706433:PORT/secret'],
    ['an octal host', 'http://0177.0.0.01:PORT/secret'],
    ['a name that resolves to one', 'http://inside.example:PORT/secret'],
    ['one without a scheme', '//127.0.0.1:PORT/secret'],
  ])('is refused as the target of a redirect: %s', async (_, location) => {
    for (const [method, status] of [
      ['GET', 302],
      ['POST', 307],
    ] as const) {
      requests = [];
      answer = (_request, response) =>
        response.writeHead(status, { location: location.replace('PORT', String(port)) }).end();
      const refused = fetchWith(
        { resolve: async () => ['127.0.0.1'] },
        { url: here(), trustUrl: true, method, maxRedirects: 3 },
      );
      await expectPrivate(refused);
      expect(requests.map(({ url }) => url)).toEqual(['/']);
    }
  });

  it('is reached where the operator allows its range, and only there', async () => {
    expect(await textWith(LOOPBACK, { url: here() })).toBe('fine');
    await expectPrivate(fetchWith(LOOPBACK, { url: 'http://127.0.0.2:1/' }));
    await expectPrivate(fetchWith(LOOPBACK, { url: 'http://[64:ff9b::7f00:1]:1/' }));
  });
});

describe('a host name whose DNS answer changes', () => {
  it('is connected to at the address that was checked', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']];
    let asked = 0;
    const options = { ...LOOPBACK, resolve: async () => answers[asked++] ?? [] };
    expect(await textWith(options, { url: `http://rebind.example:${port}/` })).toBe('fine');
    expect(asked).toBe(1);
    expect(requests[0]?.headers.host).toBe(`rebind.example:${port}`);
  });

  it('is checked again after a redirect to itself', async () => {
    answer = (_, response) => response.writeHead(302, { location: '/again' }).end();
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const options = { ...LOOPBACK, resolve: async () => answers[asked++] ?? [] };
    const url = `http://rebind.example:${port}/`;
    await expect(fetchWith(options, { url })).rejects.toThrow('rebind.example points to a private address');
    expect(requests).toHaveLength(1);
  });
});

describe('redirects', () => {
  it('of a GET are followed, five at most', async () => {
    answer = ({ url = '' }, response) =>
      url === '/5'
        ? response.end('arrived')
        : response.writeHead(301, { location: `/${Number(url.slice(1)) + 1}` }).end();
    expect(await textWith(LOOPBACK, { url: here('0') })).toBe('arrived');
    await expect(fetchWith(LOOPBACK, { url: here('-1') })).rejects.toThrow('redirects more than 5 times');
  });

  it('of a POST are returned to the caller, who can choose to follow them', async () => {
    answer = ({ url }, response) =>
      url === '/moved' ? response.end('taken') : response.writeHead(307, { location: '/moved' }).end();
    const post = { url: here(), method: 'POST', body: '{"a":1}' } as const;
    const first = await fetchWith(LOOPBACK, post);
    first.cancel();
    expect([first.status, requests.length]).toEqual([307, 1]);
    expect(await textWith(LOOPBACK, { ...post, maxRedirects: 1 })).toBe('taken');
    expect(requests.at(-1)).toMatchObject({ method: 'POST', url: '/moved', body: '{"a":1}' });
  });

  it('to another host do not send secrets along', async () => {
    answer = ({ url }, response) =>
      url === '/'
        ? response.writeHead(302, { location: `http://other.example:${port}/there` }).end()
        : response.end('fine');
    await textWith(
      { ...LOOPBACK, resolve: async () => ['127.0.0.1'] },
      { url: `http://one.example:${port}/`, headers: { Authorization: 'Bearer x', accept: '*/*' } },
    );
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer x' });
    expect(requests[1]?.headers).toMatchObject({ accept: '*/*' });
    expect(requests[1]?.headers).not.toHaveProperty('authorization');
  });

  it('to anything but HTTP are refused', async () => {
    answer = (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    await expect(fetchWith(LOOPBACK, { url: here() })).rejects.toThrow('file: is not supported');
  });
});

describe('a body', () => {
  it('is posted with its length and headers', async () => {
    await textWith(LOOPBACK, {
      url: here('hook'),
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
      body: '{"text":"é"}',
    });
    const headers = expect.objectContaining({ 'content-length': '13', 'webhook-id': 'msg_1' });
    expect(requests).toEqual([{ method: 'POST', url: '/hook', headers, body: '{"text":"é"}' }]);
  });

  it('of 100 MB is cut off at the limit', async () => {
    const megabyte = Buffer.alloc(1024 * 1024);
    let sent = 0;
    answer = async (_, response) => {
      response.on('error', () => {});
      for (; sent < 100 && !response.destroyed; sent += 1) {
        if (!response.write(megabyte))
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      }
      response.end();
    };
    const response = await fetchWith(LOOPBACK, { url: here(), maxBytes: 2_000_000 });
    await expect(response.bytes()).rejects.toMatchObject({ reason: 'too-large' });
    expect(sent).toBeLessThan(100);
  });

  it('that states too many bytes is not read', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-length': '999999' }).flushHeaders();
    const response = await fetchWith(LOOPBACK, { url: here() });
    expect(response.statedBytes).toBe(999_999);
    await expect(response.bytes()).rejects.toThrow('has 999999 bytes, more than the 10000 allowed');
  });

  it('can be read in part', async () => {
    answer = (_, response) => void response.write('x'.repeat(50_000));
    const response = await fetchWith(LOOPBACK, { url: here() });
    expect((await response.firstBytes(100)).length).toBe(100);
  });

  it('that arrives too slowly fails with a time-out message', async () => {
    answer = (_, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    };
    const response = await fetchWith(LOOPBACK, { url: here(), timeoutMs: 3_000 });
    await expect(response.bytes()).rejects.toThrow(
      /^did not finish within 3 seconds \(\d+ bytes had arrived\)$/,
    );
  });

  it('that ends early is incomplete', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write('x'.repeat(20));
      response.socket?.end();
    };
    const response = await fetchWith(LOOPBACK, { url: here() });
    await expect(response.bytes()).rejects.toMatchObject({ reason: 'incomplete' });
  });
});

describe('a host', () => {
  it('that never answers is a time-out', async () => {
    answer = () => {};
    const request = { url: here(), timeoutMs: 300 };
    await expect(fetchWith(LOOPBACK, request)).rejects.toThrow('did not finish within 0.3 seconds');
  });

  it('whose DNS never answers is a time-out', async () => {
    const resolve = () => new Promise<string[]>(() => {});
    const keepAlive = setInterval(() => {}, 1_000);
    onTestFinished(() => clearInterval(keepAlive));
    const request = { url: 'http://slow.example/', timeoutMs: 300 };
    await expect(fetchWith({ resolve }, request)).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('without an address or a connection says so', async () => {
    const url = 'http://nowhere.example:1/';
    const unresolved = fetchWith({ resolve: async () => [] }, { url });
    await expect(unresolved).rejects.toMatchObject({ reason: 'unresolved' });
    const refused = fetchWith({ ...LOOPBACK, resolve: async () => ['127.0.0.1'] }, { url });
    await expect(refused).rejects.toMatchObject({ reason: 'connection' });
  });
});

async function secureServer(
  answering: RequestListener = (_, response) => response.end('secure'),
): Promise<number> {
  const secure = createHttpsServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, answering);
  onTestFinished(() => {
    secure.closeAllConnections();
    secure.close();
  });
  return listen(secure);
}

describe('a proxy', () => {
  const toLoopback = { ...LOOPBACK, ca: TEST_CERTIFICATE };
  const lost = async (): Promise<string[]> => {
    throw new Error('ENOTFOUND');
  };
  /** Connects to this machine, whatever it is asked for. */
  async function startProxy(refusal?: number) {
    const asked: string[] = [];
    const proxy = createServer((_, response) => response.end()).on('connect', ({ url, headers }, socket) => {
      asked.push([url, headers['proxy-authorization']].filter(Boolean).join(' '));
      if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      const port = Number(url?.split(':').at(-1));
      const target = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      target.pipe(socket).pipe(target);
    });
    onTestFinished(() => void proxy.close());
    const url = `http://jane:se%20cret@127.0.0.1:${await listen(proxy)}`;
    return { asked, proxy: { url, except: [] as string[], resolves: false } };
  }

  it('gets the address that was checked, with its password', async () => {
    const { asked, proxy } = await startProxy();
    const secure = await secureServer();
    const url = `https://lists.example:${secure}/`;
    const options = { ...toLoopback, proxy, resolve: async () => ['10.0.0.1', '127.0.0.1'] };
    expect(await textWith(options, { url })).toBe('secure');
    const password = Buffer.from('jane:se cret').toString('base64');
    expect(asked).toEqual([`127.0.0.1:${secure} Basic ${password}`]);
    await expect(fetchWith(options, { url: `https://other.example:${secure}/` })).rejects.toThrow(
      /cannot be reached: .*other\.example/,
    );
  });

  it('is never asked for a private address, nor for a name that cannot be checked', async () => {
    const { asked, proxy } = await startProxy();
    const to = (url: string, resolve = async () => ['10.0.0.1'], resolves = false) =>
      fetchWith({ resolve, proxy: { ...proxy, resolves } }, { url });
    await expectPrivate(to('https://inside.example/'));
    await expect(to('https://unknown.example/', lost)).rejects.toThrow('POSTERN_PROXY_RESOLVES');
    await expectPrivate(to('https://169.254.169.254/', lost, true));
    expect(asked).toEqual([]);
  });

  it('gets names that the operator chose, and all names if it checks them itself', async () => {
    const { asked, proxy } = await startProxy();
    const secure = await secureServer();
    const url = `https://lists.example:${secure}/`;
    const options = { ca: TEST_CERTIFICATE, resolve: lost };
    expect(await textWith({ ...options, proxy }, { url, trustUrl: true })).toBe('secure');
    expect(await textWith({ ...options, proxy: { ...proxy, resolves: true } }, { url })).toBe('secure');
    expect(asked.map((host) => host.startsWith('lists.example'))).toEqual([true, true]);
  });

  it('is left out for http, for what NO_PROXY names, and named when it refuses', async () => {
    const { asked, proxy } = await startProxy(407);
    const secure = await secureServer();
    const url = `https://lists.example:${secure}/`;
    const without = (...except: string[]) => ({
      ...toLoopback,
      resolve: async () => ['127.0.0.1'],
      proxy: { ...proxy, except },
    });
    expect(await textWith(without(), { url: here() })).toBe('fine');
    for (const name of ['lists.example', '.example', '*.example', 'EXAMPLE', '*'])
      expect(await textWith(without('10.0.0.0/8', name), { url })).toBe('secure');
    expect(asked).toEqual([]);
    await expect(fetchWith(without('ists.example'), { url })).rejects.toThrow(
      'the proxy of HTTPS_PROXY answered 407',
    );
  });
});

describe('TLS', () => {
  const toLoopback = { ...LOOPBACK, resolve: async () => ['127.0.0.1'] };

  it('needs a certificate from a trusted authority', async () => {
    const url = `https://lists.example:${await secureServer()}/`;
    expect(await textWith({ ...toLoopback, ca: TEST_CERTIFICATE }, { url })).toBe('secure');
    const refused = fetchWith(toLoopback, { url });
    await expect(refused).rejects.toThrow(/cannot be reached: its TLS certificate is self-signed/);
  });

  it('needs a certificate for that name', async () => {
    const url = `https://other.example:${await secureServer()}/`;
    await expect(fetchWith({ ...toLoopback, ca: TEST_CERTIFICATE }, { url })).rejects.toThrow(
      /cannot be reached: .*other\.example/,
    );
  });

  it('cannot be dropped by a redirect', async () => {
    const secure = await secureServer((_, response) => response.writeHead(302, { location: here() }).end());
    const url = `https://lists.example:${secure}/`;
    await expect(fetchWith({ ...toLoopback, ca: TEST_CERTIFICATE }, { url })).rejects.toThrow(
      'redirects away from HTTPS',
    );
    expect(requests).toEqual([]);
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { readBounded } from './read-bounded.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that writes without end, or sends `text`. */
async function answering(text: string | null, headers: Record<string, string> = {}): Promise<Response> {
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    if (text !== null) return response.end(text);
    const more = () => {
      while (response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

it('reads an answer of exactly the allowed size', async () => {
  const bytes = await readBounded(await answering('ü'.repeat(512)), 1024, 'Keys');
  expect(new TextDecoder().decode(bytes)).toBe('ü'.repeat(512));
});

it('stops an answer that never ends', async () => {
  await expect(readBounded(await answering(null), 65_536, 'Keys')).rejects.toThrow(
    'Keys: the answer is larger than 64 KiB',
  );
});

it('does not read an answer that declares too large a size', async () => {
  const response = await answering('x'.repeat(2000), { 'Content-Length': '2000' });
  await expect(readBounded(response, 1024, 'Keys')).rejects.toThrow('larger than 1 KiB');
});

it('applies the same limit to a custom fetch', async () => {
  const made = (text: string) => ({ status: 200, headers: { get: () => null }, text: async () => text });
  expect(await readBounded(made('x'.repeat(1024)), 1024, 'Keys')).toHaveLength(1024);
  await expect(readBounded(made('ü'.repeat(513)), 1024, 'Keys')).rejects.toThrow('larger than 1 KiB');
});

import { createServer } from 'node:net';

/**
 * A port on 127.0.0.1 that was free a moment ago. It is below the range from which systems choose ports by themselves,
 * so that no other process gets it until the test uses it.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const port = 11_000 + Math.floor(Math.random() * 20_000);
    const probe = createServer();
    probe.once('error', () => resolve(freePort()));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });
}

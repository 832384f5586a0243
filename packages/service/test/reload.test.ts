import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from './support/service.ts';

const pem = (name: string) => fileURLToPath(new URL(`./support/tls/${name}.pem`, import.meta.url));

/** The issuer of the certificate that a new connection gets. */
function issuerAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().issuer.CN));
      socket.end();
    });
    socket.once('error', reject);
  });
}

async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe.each(['1', '2'])(
  'a service with its own certificate and %s workers',
  { concurrent: true },
  (workers) => {
    let folder: string;
    let service: TestService;
    const install = async (cert: string, key: string) => {
      await copyFile(pem(cert), join(folder, 'cert.pem'));
      await copyFile(pem(key), join(folder, 'key.pem'));
    };
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'postern-certificate-'));
      await install('cert', 'key');
      const env = {
        POSTERN_WORKERS: workers,
        POSTERN_TLS_CERT: join(folder, 'cert.pem'),
        POSTERN_TLS_KEY: join(folder, 'key.pem'),
      };
      service = await startService({ env });
    });
    afterAll(async () => {
      await service?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('uses a renewed one after SIGHUP, keeps the old one if the new pair does not match, and goes on', async () => {
      expect(await issuerAt(service.port)).toBe('localhost');
      await install('database-cert', 'key');
      service.process.kill('SIGHUP');
      await eventually(() => service.output().includes('cannot be reloaded'));
      expect(await issuerAt(service.port)).toBe('localhost');

      await install('database-cert', 'database-key');
      service.process.kill('SIGHUP');
      await eventually(() => service.output().includes('the TLS certificate was reloaded'));
      // A worker that starts only now has the new certificate without a reload.
      await eventually(async () => {
        const issuers = await Promise.all(Array.from({ length: 8 }, () => issuerAt(service.port)));
        return issuers.every((issuer) => issuer === 'Postern test CA');
      });
      expect(service.process.exitCode).toBeNull();

      // Without a signal too.
      await install('cert', 'key');
      await eventually(async () => (await issuerAt(service.port)) === 'localhost');
    });
  },
);

it('SIGHUP does not end a service without a certificate', async () => {
  const service = await startService();
  for (let number = 0; number < 3; number += 1) service.process.kill('SIGHUP');
  expect((await service.ask({ path: '/healthz' })).status).toBe(200);
  expect(await service.stop()).toBe(0);
  await service.close();
});

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { VERSION } from '../src/version.ts';
import { startService, type TestService } from './support/service.ts';
import { untilCounted } from './support/until-counted.ts';

const WAIT = { timeout: 120_000, interval: 50 };

describe('a resolver without answers', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ zone: null });
  });
  afterAll(() => service.close());

  it('makes no ordinary address fail, and is reported everywhere', async () => {
    const project = await service.makeProject();
    const { json } = await project.validate({ email: 'jane.doe@gmail.com' });
    expect(json.recommendation).toBe('allow');
    expect(json.checks.mx).toMatchObject({
      pass: true,
      metadata: { status: 'unknown', reason: 'resolver-offline' },
    });
    const ready = await service.ask({ path: '/readyz' });
    expect(ready.status).toBe(200);
    expect(ready.json).toMatchObject({ status: 'degraded', degraded: expect.arrayContaining(['dns']) });
    expect(ready.json.parts.dns.message).toContain('POSTERN_DNS_SERVERS');
    await expect.poll(service.output).toContain('The DNS resolver cannot see the public internet');
  });
});

describe('a service', () => {
  it('reports that it is alive and ready, and its metrics', async () => {
    const service = await startService();
    try {
      const project = await service.makeProject();
      await project.validate({ email: 'jane.doe@gmail.com' });
      expect((await service.ask({ path: '/healthz' })).json).toEqual({ status: 'alive' });
      const ready = (await service.ask({ path: '/readyz' })).json;
      // The bundled data gets old, and then it is no longer all right.
      const { domains, networks } = ready.parts;
      const old = [domains.ageDays > 60 && 'domains', networks.ageDays > 120 && 'networks'].filter(Boolean);
      const status = old.length === 0 ? 'ready' : 'degraded';
      expect(ready).toMatchObject({ status, degraded: old, version: VERSION });
      if (networks.ageDays > 120)
        expect(networks.message).toMatch(
          /^The network data is from 2026-06-17, \d+ days ago\. Set POSTERN_FEEDS=on/,
        );
      expect(ready.commit === null || /^[0-9a-f]{40}$/.test(ready.commit)).toBe(true);
      const metrics = await service.ask({ path: '/metrics' });
      expect(metrics.text).toContain('postern_validations_total{recommendation="allow"} 1');
      expect(metrics.text).toContain('postern_checks_total{check="mx",result="passed"} 1');
      expect(metrics.text).not.toContain(project.id);
    } finally {
      await service.close();
    }
  });

  it('loses nothing when it restarts', async () => {
    const first = await startService();
    const project = await first.makeProject({ quotaLimit: 100 });
    const ask = (service: TestService, email: string) =>
      service.ask({
        method: 'POST',
        path: '/validate',
        headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
        body: JSON.stringify({ email, fingerprintHash: 'kept' }),
      });
    await ask(first, 'ann.one@gmail.com');
    await ask(first, 'bob.two@gmail.com');
    const keys = (await first.ask({ path: '/.well-known/jwks.json' })).json;
    await first.stop('SIGKILL');
    const second = await startService({ dataDir: first.dataDir });
    try {
      const { json, headers } = await ask(second, 'cas.three@gmail.com');
      expect(json.metadata.previousSignups).toBe(2);
      expect(headers['x-quota-used']).toBe('3');
      expect(headers['x-ratelimit-remaining']).toBe('4997');
      expect((await second.ask({ path: '/.well-known/jwks.json' })).json).toEqual(keys);
    } finally {
      await second.close();
      await first.close();
    }
  });

  it('finishes accepted requests before it stops', async () => {
    const service = await startService({
      zone: (name) =>
        name === 'slow.mail-house.net' ? 'silent' : { MX: [[10, 'mx.mail-house.net']], A: ['93.184.216.34'] },
      env: { POSTERN_DNS_BUDGET_MS: '800' },
    });
    try {
      const project = await service.makeProject();
      const pending = project.validate({ email: 'jane.doe@slow.mail-house.net' });
      await service.dns.whenAsked('slow.mail-house.net');
      const stopped = service.stop();
      expect((await pending).status).toBe(200);
      expect(await stopped).toBe(0);
    } finally {
      await service.close();
    }
  });
});

describe('two processes', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ env: { POSTERN_WORKERS: '2' } });
  });
  afterAll(() => service.close());
  const count = async () => {
    const { text } = await service.ask({ path: '/metrics' });
    return {
      validations: Number(/^postern_validations_total\{recommendation="allow"\} (\d+)$/m.exec(text)?.[1]),
      restarts: Number(/^postern_worker_restarts_total (\d+)$/m.exec(text)?.[1]),
      workers: Number(/^postern_workers (\d+)$/m.exec(text)?.[1]),
    };
  };

  it('behind one port count exactly, and each reports the numbers of both', async () => {
    const project = await service.makeProject({ quotaLimit: 30 });
    const answers = await Promise.all(
      Array.from({ length: 90 }, () => untilCounted(() => project.validate({ email: 'jane.doe@gmail.com' }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(60);
    // A worker that is too busy to report counts with its last report.
    await expect.poll(count).toEqual({ validations: 30, restarts: 0, workers: 2 });
  });

  it('keep what a killed worker counted, so that no metric falls', async () => {
    const project = await service.makeProject();
    const fallen: number[] = [];
    const pids = execFileSync('pgrep', ['-P', String(service.process.pid)], { encoding: 'utf8' });
    process.kill(Number(pids.trim().split('\n')[0]), 'SIGKILL');
    await vi.waitFor(async () => {
      // Fails while a connection still leads to the killed worker.
      const after = await count();
      if (after.validations !== 30) fallen.push(after.validations);
      expect(after).toMatchObject({ restarts: 1, workers: 2 });
    }, WAIT);
    expect(fallen).toEqual([]);
    await Promise.all(
      Array.from({ length: 40 }, () => untilCounted(() => project.validate({ email: 'jane.doe@gmail.com' }))),
    );
    await expect.poll(count).toEqual({ validations: 70, restarts: 1, workers: 2 });
  });
});

describe('the settings', () => {
  it('are reported all together, each by name', async () => {
    const start = startService({
      env: { POSTERN_PORT: 'x', POSTERN_WORKERS: '0', POSTERN_TRUSTED_PROXIES: '10.0.0.0/99' },
    });
    await expect(start).rejects.toThrow(/POSTERN_PORT[\s\S]*POSTERN_TRUSTED_PROXIES[\s\S]*POSTERN_WORKERS/);
  });

  it('with an unknown host or certificate end the start with one line, not a stack', async () => {
    const unknownHost = startService({ env: { POSTERN_HOST: 'no..host' } });
    await expect(unknownHost).rejects.toThrow(/no\.\.host cannot be resolved; set POSTERN_HOST/);
    await expect(unknownHost).rejects.not.toThrow(/^\s+at /m);
    const file = fileURLToPath(import.meta.url);
    const noCertificate = startService({ env: { POSTERN_TLS_CERT: file, POSTERN_TLS_KEY: file } });
    await expect(noCertificate).rejects.toThrow(/POSTERN_TLS_CERT and POSTERN_TLS_KEY: .*PEM/);
    await expect(noCertificate).rejects.not.toThrow(/^\s+at /m);
  });

  it.each(['1', '2'])(
    'such as the port of a Postern that runs already end a start with %s workers',
    async (workers) => {
      const first = await startService();
      const { host, port } = new URL(first.url);
      try {
        await expect(startService({ env: { POSTERN_WORKERS: workers, POSTERN_PORT: port } })).rejects.toThrow(
          `${host} is in use, perhaps by another Postern: stop it, or set POSTERN_PORT to another port`,
        );
      } finally {
        await first.close();
      }
    },
  );
});

describe('the first start', () => {
  it('creates the demo project and prints keys and a working curl command, only once', async () => {
    const first = await startService({ env: { POSTERN_DEMO: 'on' } });
    // They are printed after the line that says that the service is ready.
    await expect.poll(first.output).toContain('curl');
    const output = first.output();
    const server = /pst_server_live_\w+/.exec(output)?.[0];
    const client = /pst_client_live_\w+/.exec(output)?.[0];
    const headers = { 'x-project-id': 'demo' };
    const ask = (more: Record<string, string>) =>
      first.ask({
        method: 'POST',
        path: '/validate',
        headers: { ...headers, ...more },
        body: '{"email":"jane.doe@gmail.com"}',
      });
    expect((await ask({ authorization: `Bearer ${server}` })).status).toBe(200);
    expect((await ask({ authorization: `Bearer ${client}`, origin: 'http://localhost:5173' })).status).toBe(
      200,
    );
    await first.stop();
    const second = await startService({ env: { POSTERN_DEMO: 'on' }, dataDir: first.dataDir });
    expect(second.output()).not.toMatch(/pst_(client|server)_/);
    await second.close();
    await first.close();
  });
});

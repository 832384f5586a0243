import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KNOWN_MAIL, startService, type TestService } from './support/service.ts';

const run = promisify(execFile);

/** Sets the limit for new descriptors of the running service. What is open stays open. */
async function limitDescriptors(service: TestService, most: number): Promise<void> {
  await run('prlimit', ['--pid', String(service.process.pid), `--nofile=${most}:20000`]);
}

async function started() {
  const service = await startService({ zone: KNOWN_MAIL });
  onTestFinished(() => service.close());
  return service;
}

describe('a process without descriptors', () => {
  it('says so in the answer, in /readyz, in the metrics and in one line of the log', async () => {
    const service = await started();
    const project = await service.makeProject();
    expect((await project.validate({ email: 'jane@before.com' })).json.recommendation).toBe('block');
    const metrics = async () => (await service.ask({ path: '/metrics' })).text;
    await metrics();
    await service.ask({ path: '/readyz' });

    // The connection that the next requests use is open already.
    await limitDescriptors(service, 3);
    const answers = [];
    for (const name of ['one', 'two', 'three'])
      answers.push(await project.validate({ email: `jane@${name}-missing.com` }));
    for (const { status, json } of answers) {
      expect([status, json.recommendation]).toEqual([200, 'allow']);
      expect(json.checks.mx.metadata).toMatchObject({ status: 'unknown', reason: 'no-resources' });
    }
    await limitDescriptors(service, 20_000);

    // Nothing was remembered for these domains, and the resolver was not blamed.
    const again = await project.validate({ email: 'jane@one-missing.com' });
    expect([again.json.recommendation, again.json.signals]).toEqual(['block', ['domain_not_found']]);
    const ready = (await service.ask({ path: '/readyz' })).json;
    expect([ready.status, ready.parts.resources.code, ready.parts.dns.status]).toEqual([
      'degraded',
      'EMFILE',
      'ok',
    ]);
    expect(ready.degraded).toContain('resources');
    expect(await metrics()).toMatch(/^postern_resource_shortages_total\{code="EMFILE"\} [1-9]/m);
    const said = () => service.output().match(/runs out of file descriptors/g);
    await expect.poll(said).toHaveLength(1);
  });

  it('lets a project flag what could not be checked', async () => {
    const service = await started();
    const project = await service.makeProject({ policy: { unknownMx: 'flag' } });
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).json.recommendation).toBe('allow');
    // The next request uses this connection, and opens none.
    await service.ask({ path: '/readyz' });
    await limitDescriptors(service, 3);
    const { json } = await project.validate({ email: 'jane@unknown-domain.com' });
    expect([json.recommendation, json.signals, json.checks.mx.pass]).toEqual(['flag', [], true]);
    expect(json.message).not.toBeNull();
    await limitDescriptors(service, 20_000);
  });
});

it('closes connections beyond the limit of descriptors and keeps answering on the others', async () => {
  const service = await startService({ zone: KNOWN_MAIL, descriptors: 400 });
  onTestFinished(() => service.close());
  const project = await service.makeProject();
  await project.validate({ email: 'jane@before.com' });
  const sockets: Socket[] = [];
  let closed = 0;
  for (let number = 0; number < 450; number += 1) {
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      closed += 1;
    });
    socket.resume();
  }
  while (closed < 200) await sleep(20);
  // Its connection was there before.
  const answer = await project.validate({ email: 'jane@missing.com' });
  expect([answer.json.recommendation, answer.json.signals]).toEqual(['block', ['domain_not_found']]);
  for (const socket of sockets) socket.destroy();
  let refused = 0;
  while (refused === 0) {
    const { text } = await service.ask({ path: '/metrics' }).catch(() => ({ text: '' }));
    refused = Number(/^postern_connections_refused_total (\d+)/m.exec(text)?.[1] ?? 0);
    expect(text === '' || /^postern_max_connections 200$/m.test(text)).toBe(true);
  }
  const { degraded } = (await service.ask({ path: '/readyz' })).json;
  expect(degraded).toContain('resources');
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { createPosternServerClient, isPosternError } from '../src/index.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

const postern = (options = {}) =>
  createPosternServerClient({
    ...{ baseUrl: service.url, projectId: project.id, apiKey: project.serverKey, timeoutMs: 60_000 },
    ...options,
  });

it('each person gets a claim once, and again after it was given back', async () => {
  const { claim, releaseClaim } = postern();
  const person = { email: 'jane.doe@gmail.com', traces: [{ kind: 'card', value: 'fp_1' }] };
  const first = await claim('trial', { ...person, idempotencyKey: 'event-1' });
  expect(first).toEqual({ granted: true, id: expect.any(String), because: [], since: expect.any(String) });
  expect(await claim('trial', { ...person, idempotencyKey: 'event-1' })).toEqual(first);
  const second = await claim('trial', { ...person, email: 'john.roe@gmail.com' });
  expect(second).toMatchObject({ granted: false, because: ['trace:card'], since: first.since });
  await releaseClaim(first.id);
  expect(await claim('trial', { ...person, dryRun: true })).toMatchObject({ granted: true, id: '' });
});

it('rejects with the service’s sentence, or that it could not be reached', async () => {
  const bad = postern().claim('Not a word', { email: 'jane.doe@gmail.com' });
  await expect(bad).rejects.toThrow('claim must be 1 to 32 of the characters a to z, 0 to 9 and _');
  await expect(postern().releaseClaim('claim_none')).rejects.toSatisfy(isPosternError);
  const away = postern({ baseUrl: 'http://127.0.0.1:9' }).claim('trial', { email: 'jane.doe@gmail.com' });
  await expect(away).rejects.toMatchObject({ label: 'UNREACHABLE' });
});

it('an accepted sign-up says whether the person could have the claim, and takes nothing', async () => {
  const client = postern();
  const signUp = { email: 'ann.lee@gmail.com', fingerprintHash: 'device-9' };
  for (let count = 0; count < 2; count += 1)
    expect(await client.evaluateSignUp(signUp, { claim: 'trial', timeoutMs: 60_000 })).toMatchObject({
      accepted: true,
      claim: { granted: true, id: '' },
    });
  await client.claim('trial', signUp);
  const other = { ...signUp, email: 'bob.ray@gmail.com' };
  expect(await client.evaluateSignUp(other, { claim: 'trial', timeoutMs: 60_000 })).toMatchObject({
    claim: { granted: false, because: ['device'] },
  });
  expect(await client.evaluateSignUp(other, { timeoutMs: 60_000 })).toMatchObject({
    accepted: true,
    claim: null,
  });
  expect(
    await client.evaluateSignUp({ email: 'x@mailinator.com' }, { claim: 'trial', timeoutMs: 60_000 }),
  ).not.toHaveProperty('claim');
});

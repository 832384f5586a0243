import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { expoApp } from '../src/expo.ts';
import { createPosternClient, isPosternError } from '../src/index.ts';

vi.mock('expo-application', () => import('./support/expo-application.ts'));

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function appOf(allowedDomains: string[]) {
  const { id, clientKey } = await service.makeProject({ allowedDomains });
  return createPosternClient({
    baseUrl: service.url,
    projectId: id,
    apiKey: clientKey,
    app: expoApp(),
    timeoutMs: 60_000,
  });
}

it('an app that the project allows gets answers, and its device is recognised', async () => {
  const postern = await appOf(['app://com.example.shop']);
  const first = await postern.validate('jane.doe@gmail.com');
  expect(first).toMatchObject({ recommendation: 'allow', source: 'service' });
  expect(first.metadata.fingerprintHash).toMatch(/^n1_/);
  const second = await postern.validate('john.roe@gmail.com');
  expect(second.metadata).toMatchObject({
    fingerprintHash: first.metadata.fingerprintHash,
    previousSignups: 1,
  });
});

it('an app that the project does not allow learns which origin was refused', async () => {
  const postern = await appOf(['app://com.example.other']);
  const error = await postern.validate('jane.doe@gmail.com').catch((caught: unknown) => caught);
  expect(isPosternError(error) && error).toMatchObject({
    label: 'DOMAIN_NOT_ALLOWED',
    message: "Origin 'app://com.example.shop' not in allowed domains",
  });
});

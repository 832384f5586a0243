import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { allowed, type StubService, startStubService } from '../../sdk/test/support/stub-service.ts';
import { deviceInfoApp } from '../src/device-info.ts';
import { expoApp } from '../src/expo.ts';
import { createPosternClient, type DeviceIdStorage, type PosternClientOptions } from '../src/index.ts';
import { setDevice } from './support/expo-application.ts';

vi.mock('expo-application', () => import('./support/expo-application.ts'));
vi.mock('react-native-device-info', () => import('./support/react-native-device-info.ts'));

let service: StubService;
beforeAll(async () => {
  service = await startStubService(() => allowed());
});
afterAll(() => service.close());
beforeEach(() => {
  service.requests.length = 0;
  setDevice({ os: 'ios' });
});

async function signUp(options: Pick<PosternClientOptions, 'app'> & Partial<PosternClientOptions>) {
  const postern = createPosternClient({
    baseUrl: service.url,
    projectId: 'demo',
    apiKey: 'key',
    timeoutMs: 60_000,
    ...options,
  });
  const validation = await postern.validate('jane@example.com');
  const request = service.requests.at(-1);
  return { validation, origin: request?.headers.origin, body: request?.body };
}

const hashOf = async (options: Parameters<typeof signUp>[0]) => (await signUp(options)).body?.fingerprintHash;

function storageOf(kept: Map<string, string> = new Map()): DeviceIdStorage {
  return {
    getItem: async (key) => kept.get(key) ?? null,
    setItem: async (key, value) => {
      kept.set(key, value);
    },
  };
}

describe('an app', () => {
  it('sends its ID as the origin, and the SDK’s name', async () => {
    const { origin, body, validation } = await signUp({ app: expoApp() });
    expect(origin).toBe('app://com.example.shop');
    expect(body?.sdkVersion).toMatch(/^react-native\//);
    expect(validation).toMatchObject({ recommendation: 'allow', source: 'service' });
  });

  it('sends a hash of the device’s ID, never the ID', async () => {
    const { body } = await signUp({ app: expoApp() });
    expect(body?.fingerprintHash).toMatch(/^n1_[0-9a-f]{64}$/);
    expect(JSON.stringify(service.requests)).not.toContain('68753A44');
  });

  it('has the same hash after a restart, and another for each device, platform and project', async () => {
    const ios = await hashOf({ app: expoApp() });
    expect(await hashOf({ app: expoApp() })).toBe(ios);
    const project = await hashOf({ app: expoApp(), projectId: 'other' });
    setDevice({ os: 'android' });
    const android = await hashOf({ app: expoApp() });
    const deviceInfo = await hashOf({ app: deviceInfoApp() });
    expect(new Set([ios, project, android, deviceInfo]).size).toBe(4);
  });

  it('works with react-native-device-info', async () => {
    expect((await signUp({ app: deviceInfoApp() })).origin).toBe('app://com.example.bank');
  });

  it('falls back to a random ID that its storage keeps', async () => {
    setDevice({ os: 'web' });
    const storage = storageOf();
    const first = await hashOf({ app: expoApp(), storage });
    expect(await hashOf({ app: expoApp(), storage })).toBe(first);
    expect(await hashOf({ app: 'com.example.shop', storage })).toBe(first);
    expect(await hashOf({ app: 'com.example.shop', storage: storageOf() })).not.toBe(first);
  });

  it('keeps one random ID while it runs, without any storage', async () => {
    const postern = createPosternClient({
      baseUrl: service.url,
      projectId: 'demo',
      apiKey: 'key',
      app: 'com.example.shop',
      timeoutMs: 60_000,
    });
    await postern.validate('jane@example.com');
    await postern.validate('john@example.com');
    const [first, second] = service.requests.map(({ body }) => body.fingerprintHash);
    expect(first).toBe(second);
  });

  it('works without a hash if its storage fails', async () => {
    const storage: DeviceIdStorage = {
      getItem: () => Promise.reject(new Error('locked')),
      setItem: () => Promise.reject(new Error('locked')),
    };
    const { body, validation } = await signUp({ app: 'com.example.shop', storage });
    expect(body).not.toHaveProperty('fingerprintHash');
    expect(validation.source).toBe('service');
  });

  it('works without a hash if the device’s ID never comes', async () => {
    const app = { appId: 'com.example.shop', deviceId: () => new Promise<never>(() => {}) };
    const { body, validation } = await signUp({ app });
    expect(body).not.toHaveProperty('fingerprintHash');
    expect(validation.source).toBe('service');
  });

  it.each(['', 'unknown', '00000000-0000-0000-0000-000000000000', '9774d56d682e549c'])(
    'ignores “%s” as an ID, or all such devices would look like one',
    async (id) => {
      const app = { appId: 'com.example.shop', deviceId: async () => id };
      expect(await hashOf({ app })).not.toBe(await hashOf({ app }));
    },
  );

  it('can use the field’s logic with its own elements', async () => {
    const postern = createPosternClient({
      baseUrl: service.url,
      projectId: 'demo',
      apiKey: 'key',
      app: expoApp(),
      timeoutMs: 60_000,
    });
    const field = postern.emailField();
    field.setValue('janedoe@gmial.com');
    expect(await field.validateNow()).toMatchObject({ status: 'allowed', suggestion: 'janedoe@gmail.com' });
    expect(postern.checkLocally('jane').wellFormed).toBe(false);
  });

  it('without an ID throws immediately', () => {
    expect(() => createPosternClient({ baseUrl: 'x', projectId: 'p', apiKey: 'k', app: '' })).toThrow(
      'bundle',
    );
  });
});

it('an option that does not exist is an error, with the one that was meant', async () => {
  const misspelt = { app: 'com.example.shop', whenUnavailble: 'closed' };
  await expect(signUp(misspelt)).rejects.toThrow('Do you mean “whenUnavailable”?');
});

import {
  CLIENT_OPTIONS,
  type ClientOptions,
  checkLocally,
  checkOptionNames,
  createEmailField,
  createValidationClient,
  type EmailField,
  type EmailFieldOptions,
  type LocalCheck,
  startDeviceHash,
  type ValidationClient,
} from 'postern~sdk/core';
import type { AppIdentity } from './app-identity.ts';
import { type DeviceIdStorage, randomDeviceId } from './random-device-id.ts';
import { sha256Hex } from './sha256.ts';

export interface PosternClientOptions extends ClientOptions {
  /** `expoApp()`, `deviceInfoApp()`, or the app’s ID alone: then a random device ID is used. */
  app: AppIdentity | string;
  /** Keeps the random device ID between starts. */
  storage?: DeviceIdStorage | undefined;
}

const APP_OPTIONS: Readonly<Record<keyof PosternClientOptions, true>> = {
  ...CLIENT_OPTIONS,
  app: true,
  storage: true,
};

export interface PosternClient extends ValidationClient {
  readonly origin: string;
  /** Checks without the network whether it is an address and whether its domain is misspelled. */
  checkLocally(email: string): LocalCheck;
  /** The logic of one email field without any elements. */
  emailField(options?: EmailFieldOptions): EmailField;
}

/**
 * Creates the client for an app. `apiKey` is a client key. The project’s allowed domains must have `app://<app ID>`.
 */
export function createPosternClient(options: PosternClientOptions): PosternClient {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('Postern needs options: { baseUrl, projectId, apiKey, app }');
  }
  checkOptionNames(options, APP_OPTIONS);
  const { app, storage, projectId } = options;
  const appId = typeof app === 'string' ? app : app?.appId;
  if (typeof appId !== 'string' || appId === '') {
    throw new TypeError('Postern needs app, the app’s bundle or package ID');
  }
  const origin = `app://${appId}`;
  // The hash includes project and app, so that others cannot match it with their own hash of the device.
  const hashOf = (id: string) => `${VERSION}_${sha256Hex(`postern:${projectId}:${appId}:${id}`)}`;
  const client = createValidationClient(options, {
    name: 'react-native',
    keyType: 'client',
    headers: { Origin: origin },
    deviceHash: startDeviceHash(async () => hashOf(await deviceId(app, storage)), DEVICE_ID_TIMEOUT_MS),
  });

  const postern: PosternClient = {
    ...client,
    origin,
    checkLocally,
    emailField: (fieldOptions) => createEmailField(postern, fieldOptions),
  };
  return postern;
}

const VERSION = 'n1';
/** How long a validation waits for the device’s ID before it is sent without. */
const DEVICE_ID_TIMEOUT_MS = 1_000;

/** Placeholders that platforms return instead of an ID. Hashed, they would make all such devices look like one. */
const NO_ID = /^(unknown|[0-]*|9774d56d682e549c)$/i;

async function deviceId(app: AppIdentity | string, storage: DeviceIdStorage | undefined): Promise<string> {
  const own = typeof app === 'string' ? null : await app.deviceId();
  return !own || NO_ID.test(own) ? randomDeviceId(storage) : own;
}

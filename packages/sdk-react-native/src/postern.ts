import {
  type ClientOptions,
  createClient,
  createEmailField,
  type EmailField,
  type EmailFieldOptions,
  type FirstAnswer,
  firstAnswer,
  type PosternClient,
} from '@postern/sdk-core';
import type { AppIdentity } from './app-identity.ts';
import { type DeviceIdStorage, randomDeviceId } from './random-device-id.ts';
import { sha256Hex } from './sha256.ts';

export interface PosternOptions extends ClientOptions {
  /** `expoApp()`, `deviceInfoApp()`, or the app’s ID alone: then a random device ID is used. */
  app: AppIdentity | string;
  /** Keeps the random device ID between starts. */
  storage?: DeviceIdStorage;
}

export interface Postern extends PosternClient {
  readonly origin: string;
  /** What can be said at once, without the network: is it an address, is its domain misspelled. */
  firstAnswer(email: string): FirstAnswer;
  /** The logic of one email field without any elements. */
  emailField(options?: EmailFieldOptions): EmailField;
}

/** An app’s Postern. `apiKey` is a client key; `app://<app ID>` must be among the project’s allowed domains. */
export function createPostern(options: PosternOptions): Postern {
  const { app, storage, projectId } = options;
  const appId = typeof app === 'string' ? app : app.appId;
  if (appId === '') throw new TypeError('Postern needs the app’s bundle or package ID');
  const origin = `app://${appId}`;
  const client = createClient(options, { name: 'react-native', headers: { Origin: origin } });
  const deviceHash = startDeviceHash(app, storage, `${projectId}:${appId}`);

  const postern: Postern = {
    origin,
    whenUnreachable: client.whenUnreachable,
    validate: async (email, request = {}) => {
      const hash = request.fingerprintHash ?? (await deviceHash) ?? undefined;
      return client.validate(email, { ...request, fingerprintHash: hash });
    },
    firstAnswer,
    emailField: (fieldOptions) => createEmailField(postern, fieldOptions),
  };
  return postern;
}

const VERSION = 'n1';

/** Project and app are hashed along, so that the same device looks different to everybody else. */
async function startDeviceHash(
  app: AppIdentity | string,
  storage: DeviceIdStorage | undefined,
  scope: string,
): Promise<string | null> {
  try {
    const own = typeof app === 'string' ? null : await app.deviceId();
    const id = own || (await randomDeviceId(storage));
    return `${VERSION}_${sha256Hex(`postern:${scope}:${id}`)}`;
  } catch {
    // No device check is better than no sign-up.
    return null;
  }
}

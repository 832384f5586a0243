import { type Attached, type AttachOptions, attach } from './attach.ts';
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
} from './core.ts';

export interface PosternClientOptions extends ClientOptions {
  /** With `false` no device fingerprint is sent, so the device check does not run. */
  fingerprint?: boolean | undefined;
  /** How long a validation waits for the fingerprint before it is sent without. Default: 1,000. */
  fingerprintTimeoutMs?: number | undefined;
}

const BROWSER_OPTIONS: Readonly<Record<keyof PosternClientOptions, true>> = {
  ...CLIENT_OPTIONS,
  fingerprint: true,
  fingerprintTimeoutMs: true,
};

export interface PosternClient extends ValidationClient {
  /** Checks without the network whether it is an address and whether its domain is misspelled. */
  checkLocally(email: string): LocalCheck;
  /** Protects a form: the element, or a selector for it. */
  attach(form: HTMLFormElement | string, options?: AttachOptions): Attached;
  /** The logic of one email field without any elements, for frameworks. */
  emailField(options?: EmailFieldOptions): EmailField;
}

/** The library is in its own chunk, so that the form does not wait for it. */
const loadFingerprint = async () => (await import('./fingerprint.ts')).fingerprint();

/**
 * Creates the client for a page. `apiKey` is a client key. It starts computing the fingerprint in the background,
 * except on a server, where pages are only rendered; there the options may be missing too.
 */
export function createPosternClient(options: PosternClientOptions): PosternClient {
  checkOptionNames(options ?? {}, BROWSER_OPTIONS);
  const isPage = typeof document !== 'undefined';
  const fingerprinted = options?.fingerprint !== false && isPage;
  const client = createValidationClient(options, {
    name: 'browser',
    keyType: 'client',
    checkLater: !isPage,
    ...(fingerprinted && {
      deviceHash: startDeviceHash(loadFingerprint, options.fingerprintTimeoutMs ?? 1_000),
    }),
  });

  const postern: PosternClient = {
    ...client,
    checkLocally,
    attach: (form, attachOptions) => attach(postern, form, attachOptions),
    emailField: (fieldOptions) => createEmailField(postern, fieldOptions),
  };
  return postern;
}

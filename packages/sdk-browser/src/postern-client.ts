import {
  type ClientOptions,
  checkLocally,
  createEmailField,
  createValidationClient,
  type EmailField,
  type EmailFieldOptions,
  type LocalCheck,
  startDeviceHash,
  type ValidationClient,
} from '@postern/sdk-core';
import { type Attached, type AttachOptions, attach } from './attach.ts';
import { loadFingerprint } from './load-fingerprint.ts';

export interface PosternClientOptions extends ClientOptions {
  /** `false` sends no device fingerprint; the device check then does not run. */
  fingerprint?: boolean;
  /** How long a validation waits for the fingerprint before it goes without. 1,000 unless told. */
  fingerprintTimeoutMs?: number;
}

export interface PosternClient extends ValidationClient {
  /** What can be said at once, without the network: is it an address, is its domain misspelled. */
  checkLocally(email: string): LocalCheck;
  /** Protects a form: the element, or a selector for it. */
  attach(form: HTMLFormElement | string, options?: AttachOptions): Attached;
  /** The logic of one email field without any elements, for frameworks. */
  emailField(options?: EmailFieldOptions): EmailField;
}

/**
 * A page’s Postern. `apiKey` is a client key. The fingerprint is taken from now on, in the background; on a
 * server, where pages are only rendered, it is not.
 */
export function createPosternClient(options: PosternClientOptions): PosternClient {
  const fingerprinted = options?.fingerprint !== false && typeof document !== 'undefined';
  const client = createValidationClient(options, {
    name: 'browser',
    keyType: 'client',
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

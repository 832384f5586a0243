import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { postAuth } from './client.ts';

/** Whether this page can use passkeys: the browser knows them, and they belong to this host. */
export function canUsePasskeys(host: string | undefined): boolean {
  if (host === undefined || typeof window.PublicKeyCredential !== 'function') return false;
  const { hostname } = window.location;
  return hostname === host || hostname.endsWith(`.${host}`);
}

export async function addPasskey(name: string, password: string): Promise<void> {
  const { startRegistration } = await loadLibrary();
  const optionsJSON = await postAuth<PublicKeyCredentialCreationOptionsJSON>(
    '/passkey/generate-register-options',
    { password },
  );
  const response = await startRegistration({ optionsJSON }).catch(explain);
  await postAuth('/passkey/verify-registration', { name, response });
}

export async function signInWithPasskey(): Promise<void> {
  const { startAuthentication } = await loadLibrary();
  const options = await postAuth<PublicKeyCredentialRequestOptionsJSON>(
    '/passkey/generate-authenticate-options',
  );
  const optionsJSON = { ...options, userVerification: 'required' as const };
  const response = await startAuthentication({ optionsJSON }).catch(explain);
  await postAuth('/passkey/verify-authentication', { response });
}

function loadLibrary() {
  return import('@simplewebauthn/browser').catch(() => {
    throw new Error(
      'Passkeys could not be loaded: the service does not answer, or it was updated. Try again, or use your password.',
    );
  });
}

/** The browser’s own messages are for developers. */
function explain(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError')
    throw new Error('No passkey was used: it was cancelled, or it took too long. Try again.');
  if (name === 'InvalidStateError') throw new Error('This device already has a passkey for your account.');
  throw error;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** `null` if the text is not base64url. Decoders ignore stray characters, and signatures must not depend on that. */
export function fromBase64url(text: string): Bytes | null {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
  } catch {
    return null;
  }
}

function toBase64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export async function sha256Base64url(bytes: Bytes): Promise<string> {
  return toBase64url(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)));
}

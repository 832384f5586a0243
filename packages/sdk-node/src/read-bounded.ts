import type { FetchResponse } from 'postern~sdk/core';

/** A `fetch` that the user passed may only have `text()`. The platform’s own can be read in pieces. */
type StreamedResponse = FetchResponse & { readonly body?: ReadableStream<Uint8Array> | null };

/**
 * The response’s bytes, or an error as soon as there are more than allowed. A server that answers in place of the
 * service must not be able to fill the backend’s memory.
 */
export async function readBounded(
  response: StreamedResponse,
  maxBytes: number,
  what: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new Error(`${what}: the answer is larger than ${maxBytes / 1024} KiB`);
  if (Number(response.headers.get('Content-Length')) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  if (response.body === undefined || response.body === null) {
    const bytes = new TextEncoder().encode(await response.text());
    if (bytes.length > maxBytes) throw tooLarge();
    return bytes;
  }
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return join(chunks);
    length += value.byteLength;
    chunks.push(value);
    if (length > maxBytes) {
      // Cancels the stream, and with it the connection.
      await reader.cancel();
      throw tooLarge();
    }
  }
}

export async function join(chunks: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

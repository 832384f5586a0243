import type { FetchResponse } from '@postern/sdk-core';

/** Of a `fetch` that was passed in nothing is known but `text()`; Node’s own can be read piece by piece. */
type StreamedResponse = FetchResponse & { readonly body?: ReadableStream<Uint8Array> | null };

/**
 * The response’s text, or an error as soon as it has more bytes than allowed: whoever answers in the service’s place must
 * not be able to fill the memory of the backend that asked.
 */
export async function readBounded(
  response: StreamedResponse,
  maxBytes: number,
  what: string,
): Promise<string> {
  const tooLarge = () => new Error(`${what}: the answer is larger than ${maxBytes / 1024} KiB`);
  if (Number(response.headers.get('Content-Length')) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  if (response.body === undefined || response.body === null) {
    const text = await response.text();
    if (Buffer.byteLength(text) > maxBytes) throw tooLarge();
    return text;
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream, and with it the connection.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

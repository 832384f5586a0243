import type { IncomingMessage } from 'node:http';
import { type Deadline, SafeFetchError } from './safe-fetch-error.ts';

export interface ResponseBody {
  /** The body’s length according to the server. */
  readonly statedBytes: number | undefined;
  /** The body as it arrives. Throws when it is too long, too slow or cut off. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
  /** The whole body. */
  readonly bytes: () => Promise<Buffer>;
  /** At most the first `count` bytes; the rest is not waited for. */
  readonly firstBytes: (count: number) => Promise<Buffer>;
  readonly cancel: () => void;
}

export interface BodyLimits {
  readonly maxBytes: number;
  readonly deadline: Deadline;
}

export function createResponseBody(response: IncomingMessage, limits: BodyLimits): ResponseBody {
  // After a cancel there is no reader for errors, and the socket may still report one.
  response.on('error', () => {});
  const { 'content-length': stated } = response.headers;
  const statedBytes = stated === undefined ? undefined : Number(stated);
  const chunks = () => readChunks(response, statedBytes, limits);
  return {
    statedBytes,
    chunks,
    bytes: async () => {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks()) parts.push(chunk);
      return Buffer.concat(parts);
    },
    firstBytes: async (count) => {
      const parts: Uint8Array[] = [];
      let received = 0;
      for await (const chunk of readChunks(response, undefined, { ...limits, maxBytes: Infinity })) {
        parts.push(chunk);
        received += chunk.length;
        if (received >= count) break;
      }
      return Buffer.concat(parts).subarray(0, count);
    },
    cancel: () => response.destroy(),
  };
}

async function* readChunks(
  response: IncomingMessage,
  statedBytes: number | undefined,
  { maxBytes, deadline }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    if (statedBytes !== undefined && statedBytes > maxBytes)
      throw new SafeFetchError('too-large', `has ${statedBytes} bytes, more than the ${maxBytes} allowed`);
    for await (const chunk of response as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > maxBytes)
        throw new SafeFetchError('too-large', `has more than the ${maxBytes} bytes allowed`);
      yield chunk;
    }
    if (!response.complete || (statedBytes !== undefined && received !== statedBytes))
      throw new SafeFetchError('incomplete', `ended after ${received} bytes`);
  } catch (error) {
    throw deadline.explain(error, received);
  } finally {
    response.destroy();
  }
}

import { Agent, type IncomingMessage, request } from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';

export interface Ask {
  readonly method?: string;
  readonly path: string;
  /** Only these are sent, and what HTTP requires. No User-Agent unless given. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  /** The certificate to trust, if the service uses HTTPS. */
  readonly ca?: Buffer | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the shape that it expects, and fails if it differs
  readonly json: any;
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 });
const tlsAgent = new TlsAgent({ keepAlive: true, maxSockets: 200 });

/** One real HTTP request without defaults of a library. The test decides what is sent. */
export function ask(url: string, { method = 'GET', path, headers = {}, body, ca }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { origin, protocol } = new URL(url);
    const options = { method, path, headers: { ...headers } };
    const read = (incoming: IncomingMessage) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: incoming.statusCode ?? 0,
          headers: flat(incoming.headers),
          text,
          json: parsed(text),
        });
      });
    };
    const sent =
      protocol === 'https:'
        ? requestTls(origin, { ...options, agent: tlsAgent, ca }, read)
        : request(origin, { ...options, agent }, read);
    sent.on('error', reject);
    sent.end(body);
  });
}

function flat(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { Agent, request } from 'node:http';

export interface Ask {
  readonly method?: string;
  readonly path: string;
  /** Exactly these are sent, with what HTTP itself needs; no User-Agent unless named. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever shape it expects, and fails when it is another
  readonly json: any;
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 });

/** One real HTTP request, without the manners of a library: the test says what is sent. */
export function ask(url: string, { method = 'GET', path, headers = {}, body }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(url).origin,
      { method, path, headers: { ...headers }, agent },
      (incoming) => {
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
      },
    );
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

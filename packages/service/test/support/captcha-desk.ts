import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Misbehave = (response: ServerResponse, path: string) => void;

export interface CaptchaDesk {
  readonly url: string;
  /** Settings that make a service ask here. */
  readonly env: Readonly<Record<string, string>>;
  /** What is answered from now on; without one, what the vendors say. */
  readonly misbehave: (how?: Misbehave) => void;
  readonly close: () => Promise<void>;
}

/** Answers as the vendors do: `good token of <vendor>` is right with `secret of <vendor>`. */
export async function startCaptchaDesk(): Promise<CaptchaDesk> {
  let misbehave: Misbehave | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (misbehave !== undefined) return misbehave(response, request.url ?? '');
    const isJson = request.headers['content-type'] === 'application/json';
    const body: Record<string, string> = isJson
      ? JSON.parse(text)
      : Object.fromEntries(new URLSearchParams(text));
    const secret = isJson ? String(request.headers['x-api-key']) : (body.secret ?? '');
    const success =
      body.response === `good token of ${secret.slice('secret of '.length)}` && body.sitekey === 'site';
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ success }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/siteverify`;
  return {
    url,
    env: { POSTERN_STEP_UP_VENDOR_URL: url },
    misbehave: (how) => {
      misbehave = how;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import {
  installLines,
  PAGE_SCRIPT,
  PLACEHOLDER_DATA,
  type SdkManifest,
  scriptTag,
  sdkPackages,
} from '@postern/contract/sdk-files';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../log.ts';
import { acceptedEncodings } from '../../static-files.ts';
import type { SdkFileStore } from '../../store/tables/sdk-file-table.ts';
import { escapeHtml, STYLE } from './docs-page.ts';
import { addLlmsRoutes } from './llms.ts';
import { openSdkFiles, readManifest, type ServedFile } from './sdk-files.ts';

/** `/sdk` in a browser: how to get the SDKs, with this service’s address and the files’ hashes filled in. */
function sdkPage(manifest: SdkManifest, address: string): string {
  const packages = sdkPackages(manifest).map((file) => {
    const { npm, others } = installLines(address, file);
    return `<section><h3><code>${escapeHtml(file.name)}</code> <small>${Math.ceil(file.bytes / 1024)} KB</small></h3>
${code([npm, ...others].join('\n'))}</section>`;
  });
  const frameworks = manifest.frameworks.map(
    ({ id, title }) => `<li><a href="/llms/${id}.md">${escapeHtml(title)}</a></li>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postern’s SDKs</title><style>${STYLE}${LINES}</style></head>
<body><main><h1>Postern’s SDKs <small>${escapeHtml(manifest.version)}</small></h1>
<p>This service hands out its own SDKs. They are on no registry: always install them with the whole line. Each address contains a hash of the file, so it never changes, and it
works after an update too. <a href="/docs/sdks">How to use them</a>. For programs this page is JSON.</p>
<h2>For your framework</h2><ul>${frameworks.join('')}</ul>
<h2>In a page, without a bundler</h2>${code(scriptTag(address, manifest, PLACEHOLDER_DATA))}
<h2>In a project</h2>${address.startsWith('http:') ? YARN_OVER_HTTP : ''}${packages.join('')}</main></body></html>`;
}

const code = (text: string) => `<pre><code>${escapeHtml(text)}</code></pre>`;

const YARN_OVER_HTTP = `<p>Yarn 2 and newer download over <code>http</code> only if <code>.yarnrc.yml</code> names the host under
<code>unsafeHttpWhitelist</code>. It is not needed with <code>https</code>.</p>`;

const LINES = 'pre{overflow:auto}pre code{white-space:pre-wrap;display:block;padding:.6rem}';

const ONE_YEAR = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'public, max-age=300';

export interface SdkRoutes {
  /** What the build wrote. */
  readonly folder: URL;
  readonly store: SdkFileStore;
  /** The service’s address as browsers see it, if the operator named it. */
  readonly publicUrl: string | undefined;
  readonly log: Log;
  readonly now: () => number;
}

/**
 * Serves the SDKs from the service itself, because they are not on a public registry: `GET /sdk/postern.js`, and one
 * tarball for each package. If the build left them out, everything else still works.
 */
export async function addSdkRoutes(server: FastifyInstance, routes: SdkRoutes): Promise<void> {
  const { folder, store, publicUrl, log, now } = routes;
  const manifest = await readManifest(folder);
  if (manifest === undefined) {
    log.warn({}, 'the SDKs were not built; /sdk answers 404. `npm run build` builds them');
    return;
  }
  const json = JSON.stringify(manifest);
  const addressFor = ({ protocol, host }: FastifyRequest) =>
    publicUrl?.replace(/\/+$/, '') ?? `${protocol}://${host}`;
  addLlmsRoutes(server, manifest, addressFor);
  server.get('/sdk', { exposeHeadRoute: true }, async (request, reply) => {
    reply.header('Vary', 'Accept').header('X-Content-Type-Options', 'nosniff');
    if (!request.headers.accept?.includes('text/html')) {
      reply.header('Access-Control-Allow-Origin', '*').type('application/json; charset=utf-8');
      return reply.send(json);
    }
    const address = addressFor(request);
    return reply
      .header('Content-Security-Policy', PAGE_POLICY)
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(sdkPage(manifest, address));
  });

  const files = await openSdkFiles(manifest, folder, store, now);
  // Only requests for a tarball by version wait for it: its first content stays, whichever process kept it.
  const kept = files.keep(now()).catch((error: unknown) => {
    log.warn(
      { err: error },
      'the SDK files could not be kept; after an update their addresses will answer 404',
    );
  });
  server.get<{ Params: { file: string } }>(
    SDK_FILE_ROUTE,
    { exposeHeadRoute: true },
    async (request, reply) => {
      const { file } = request.params;
      if (file !== PAGE_SCRIPT) {
        await kept;
        const found = await files.kept(file);
        if (found !== undefined) return send(request, reply, found, ONE_YEAR);
      }
      const present = files.present(file);
      return present === undefined ? reply.callNotFound() : send(request, reply, present, ASK_AGAIN);
    },
  );
}

export const SDK_FILE_ROUTE = '/sdk/:file';

/** Text and style only. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, etag, type, encoded }: ServedFile,
  cacheControl: string,
): FastifyReply {
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const chosen = encoded.find(({ encoding }) => accepted.has(encoding));
  // Each encoding is a representation of its own (RFC 9110 section 8.8.3).
  const tag = `"${etag}${chosen === undefined ? '' : `-${chosen.encoding}`}"`;
  reply
    .header('ETag', tag)
    .header('Cache-Control', cacheControl)
    .header('Access-Control-Allow-Origin', '*')
    .header('Cross-Origin-Resource-Policy', 'cross-origin')
    .header('X-Content-Type-Options', 'nosniff');
  if (encoded.length > 0) reply.header('Vary', 'Accept-Encoding');
  if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send();
  if (chosen !== undefined) reply.header('Content-Encoding', chosen.encoding);
  return reply.type(type).send(chosen?.content ?? content);
}

import {
  installLines,
  PLACEHOLDER_DATA,
  type SdkManifest,
  scriptTag,
  sdkPackages,
} from '@postern/contract/sdk-files';
import { escapeHtml, STYLE } from './docs-page.ts';

/** `/sdk` in a browser: how to get the SDKs, with this service’s address and the files’ hashes filled in. */
export function sdkPage(manifest: SdkManifest, address: string): string {
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

/** Writes the docs site to `packages/service/dist/docs`, from where the service serves it at `/docs`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Refusal, ROOT, run, say } from './checkout.mjs';
import { buildSite } from './docs-site/build-site.mjs';
import { replaceBuild } from './replace-build.mjs';

await run(async () => {
  const folder = join(ROOT, 'packages/service/dist/docs');
  const next = join(folder, '.next');
  const { openApiDocument } = await import('../packages/contract/dist/openapi.js');
  const { referenceHtml } = await import('../packages/service/dist/http/routes/docs-page.js');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { files, pages, problems } = buildSite({
    reference: referenceHtml(openApiDocument(version)),
    version,
  });
  if (problems.length > 0) throw new Refusal(`The docs have broken links:\n${problems.join('\n')}`);
  rmSync(next, { recursive: true, force: true });
  for (const [path, content] of files) {
    const file = join(next, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (!path.endsWith('.png')) writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
  replaceBuild(next, folder);
  say(`${pages.length} pages in ${folder}`);
});

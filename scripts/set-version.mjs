// node scripts/set-version.mjs VERSION: writes the version into every file that states it. RELEASING.md says when.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal, ROOT, run } from './checkout.mjs';
import { SDKS } from './sdk-packages.mjs';

/** Returns the files. */
export function setVersion(root, version) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Refusal(`“${version}” is not a version such as 1.4.0.`);
  const manifests = ['.', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)];
  const rules = [
    ...manifests.flatMap((folder) => [
      [`${folder}/package.json`, /^( {2}"version": )"[^"]+"/m, `$1"${version}"`],
      [`${folder}/package.json`, /("(?:@postern\/|postern~)[\w-]+": )"\d[^"]*"/g, `$1"${version}"`, 'if any'],
    ]),
    ['packages/service/src/version.ts', /(VERSION = )'[^']+'/, `$1'${version}'`],
    ['packages/sdk/src/core/sdk-version.ts', /(SDK_VERSION = )'[^']+'/, `$1'${version}'`],
    ['deploy/helm/postern/Chart.yaml', /^(version: ).+/m, `$1${version}`],
    ['deploy/helm/postern/Chart.yaml', /^(appVersion: ).+/m, `$1"${version}"`],
    ...filesWithInstallLines(root).map((file) => [
      file,
      /(postern-[a-z-]+-)\d+\.\d+\.\d+(\.tgz)/g,
      `$1${version}$2`,
    ]),
  ];
  for (const [file, pattern, replacement, ifAny] of rules) {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    if (!ifAny && text.search(pattern) === -1)
      throw new Refusal(`${file} states no version any more; see scripts/set-version.mjs.`);
    writeFileSync(path, text.replace(pattern, replacement));
  }
  return [...new Set(rules.map(([file]) => file))];
}

function filesWithInstallLines(root) {
  // The guides of hooks install nothing.
  const guides = readdirSync(join(root, 'docs/guides'))
    .map((name) => `docs/guides/${name}`)
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('.tgz'));
  const sdks = SDKS.map(({ name }) => `packages/${name}/README.md`);
  return ['README.md', 'docs/go-live.md', 'docs/sdks.md', 'docs/tutorial.md', ...guides, ...sdks];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await run(async () => setVersion(ROOT, process.argv[2] ?? ''));

// The parts of a release that only read and write text, apart from `release.mjs` so that a test can run them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './checkout.mjs';
import { SDKS } from './sdk-packages.mjs';

const SEMVER = /^(\d+)\.(\d+)\.(\d+)$/;

export function requireNextVersion(next, current) {
  const [wanted, present] = [next, current].map((version) => SEMVER.exec(version)?.slice(1).map(Number));
  if (wanted === undefined) throw new Refusal(`“${next}” is not a version such as 1.4.0.`);
  const at = wanted.findIndex((number, index) => number !== present[index]);
  if (at !== -1 && wanted[at] < present[at])
    throw new Refusal(`${next} is earlier than the present version ${current}.`);
}

/** Sets the version in every file that states it. Returns the files. */
export function setVersion(root, version) {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`);
  for (const file of ['package.json', ...packages]) {
    edit(root, file, (text) =>
      text
        .replace(/^( {2}"version": )"[^"]+"/m, `$1"${version}"`)
        .replace(/("(?:@postern\/|postern~)[\w-]+": )"\d[^"]*"/g, `$1"${version}"`),
    );
  }
  const others = [
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
  for (const [file, pattern, replacement] of others) {
    edit(root, file, (text) => {
      if (text.search(pattern) === -1)
        throw new Refusal(`${file} states no version any more; see setVersion.`);
      return text.replace(pattern, replacement);
    });
  }
  return [...new Set(['package.json', ...packages, ...others.map(([file]) => file)])];
}

function filesWithInstallLines(root) {
  // The guides of hooks install nothing.
  const guides = readdirSync(join(root, 'docs/guides'))
    .map((name) => `docs/guides/${name}`)
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('.tgz'));
  const sdks = SDKS.map(({ name }) => `packages/${name}/README.md`);
  return ['README.md', 'docs/go-live.md', 'docs/sdks.md', 'docs/tutorial.md', ...guides, ...sdks];
}

/**
 * Gives the section `[Unreleased]` of a changelog or of the upgrade notes its version and date, and starts a new one.
 * Returns what the section says.
 */
export function closeSection(root, file, version, date) {
  let section = '';
  edit(root, file, (text) => {
    section = unreleasedSection(text, file);
    return text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`);
  });
  return section;
}

export function unreleasedSection(text, file) {
  return sectionOf(text, 'Unreleased', file);
}

/** What a changelog or the upgrade notes say about a version. */
export function sectionOf(text, version, file) {
  const start = text.indexOf(`## [${version}]`);
  if (start === -1) throw new Refusal(`${file} has no section “## [${version}]”.`);
  const from = text.indexOf('\n', start) + 1;
  const next = text.indexOf('\n## [', from - 1);
  const section = text.slice(from, next === -1 ? undefined : next).trim();
  if (section === '')
    throw new Refusal(`${file} has nothing under “## [${version}]”: write down what changed.`);
  return section;
}

function edit(root, file, change) {
  const path = join(root, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

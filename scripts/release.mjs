import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execute, Refusal, ROOT, readArguments, run, say } from './checkout.mjs';
import {
  closeSection,
  requireNextVersion,
  sectionOf,
  setVersion,
  unreleasedSection,
} from './release-version.mjs';

const NOTES = ['CHANGELOG.md', 'docs/upgrading.md'];
/** What `--skip-tests` still runs, in this order. */
const QUICK_CHECKS = [
  ['ci', '--no-audit', '--no-fund'],
  ['run', 'build'],
  ['run', 'lint'],
  ['run', 'types'],
  ['run', 'structure'],
  ['run', 'docs', '--', '--check'],
];
const HELP = `npm run release -- VERSION [--dry-run | --artifacts] [--skip-tests] [--output FOLDER]
Makes a release in a temporary clone of the last commit: sets the version everywhere, closes the changelog, runs bash .ci/run,
and writes the SDK tarballs, the image’s build context, an SBOM, the release notes and their checksums to FOLDER (release/VERSION).
Then it brings the commit and the tag into this checkout. It pushes and publishes nothing.
--dry-run leaves this checkout as it is. --skip-tests runs every check except npm test and npm run eval.
--artifacts only makes the files again, for the commit that is checked out and tagged vVERSION.`;

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  'skip-tests': { type: 'boolean', default: false },
  artifacts: { type: 'boolean', default: false },
  output: { type: 'string' },
};

await run(async () => {
  const { values, positionals } = readArguments(HELP, { options: OPTIONS, allowPositionals: true });
  const [version] = positionals;
  if (values.help) return;
  if (version === undefined) {
    say(HELP);
    process.exitCode = 2;
    return;
  }
  if (values.artifacts) await requireTagged(version);
  else await requireReleasable(version);
  const output = resolve(ROOT, values.output ?? join('release', version));
  const folder = mkdtempSync(join(tmpdir(), 'postern-release-'));
  // The SBOM names the product after its folder.
  const clone = join(folder, 'postern');
  try {
    await must('git', ['clone', '--quiet', ROOT, clone]);
    if (!values.artifacts) await commitVersion(clone, version);
    await check(clone, values['skip-tests']);
    if (!values.artifacts) await must('git', ['-C', clone, 'tag', '-a', `v${version}`, '-m', version]);
    const files = await writeArtifacts(clone, version, output);
    say(`\n${files.length} files in ${output}:\n${files.map((name) => `  ${name}`).join('\n')}`);
    if (values['dry-run']) say('\nDry run: no commit and no tag in this checkout.');
    else if (!values.artifacts) await takeOver(clone, version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function requireReleasable(version) {
  requireNextVersion(version, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
  const changed = await must('git', ['status', '--porcelain']);
  if (changed !== '') throw new Refusal(`Commit or put away your changes first:\n${changed}`);
  const tags = await must('git', ['tag', '--list', `v${version}`]);
  if (tags !== '') throw new Refusal(`The tag v${version} exists already.`);
  for (const file of NOTES) unreleasedSection(readFileSync(join(ROOT, file), 'utf8'), file);
}

async function requireTagged(version) {
  const tags = await must('git', ['tag', '--points-at', 'HEAD']);
  if (!tags.split('\n').includes(`v${version}`))
    throw new Refusal(`The commit that is checked out has no tag v${version}.`);
}

async function commitVersion(clone, version) {
  say(`Setting the version to ${version}…`);
  setVersion(clone, version);
  const date = new Date().toISOString().slice(0, 10);
  for (const file of NOTES) closeSection(clone, file, version, date);
  await must('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], clone);
  await must('git', ['-C', clone, 'commit', '--quiet', '-a', '-m', `release: ${version}`]);
}

function releaseNotes(clone, version) {
  const [changes, upgrade] = NOTES.map((file) =>
    sectionOf(readFileSync(join(clone, file), 'utf8'), version, file),
  );
  return `# Postern ${version}\n\n${changes}\n\n## Upgrading\n\n${upgrade}\n`;
}

async function check(clone, skipTests) {
  if (!skipTests) {
    say('Running bash .ci/run; this takes about a quarter of an hour…');
    await must('bash', ['.ci/run'], clone);
    return;
  }
  for (const args of QUICK_CHECKS) {
    say(`npm ${args.join(' ')}`);
    await must('npm', args, clone);
  }
}

async function writeArtifacts(clone, version, output) {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const sdks = join(clone, 'packages/service/dist/sdk');
  for (const name of readdirSync(sdks).filter((file) => /\.(tgz|js)$/.test(file))) {
    if (name.endsWith('.tgz') && !name.endsWith(`-${version}.tgz`))
      throw new Refusal(`${name} has another version than ${version}; see setVersion.`);
    copyFileSync(join(sdks, name), join(output, name));
  }
  const context = join(output, `postern-${version}-image-context.tar.gz`);
  await must('git', ['-C', clone, 'archive', '--format=tar.gz', `--output=${context}`, 'HEAD']);
  const sbom = await must('npm', ['sbom', '--omit=dev', '--sbom-format=cyclonedx'], clone, 'stdout');
  writeFileSync(join(output, `postern-${version}.sbom.json`), `${sbom}\n`);
  writeFileSync(join(output, 'RELEASE_NOTES.md'), releaseNotes(clone, version));
  const commit = await must('git', ['-C', clone, 'rev-parse', 'HEAD']);
  writeFileSync(join(output, 'COMMIT'), `${commit}\n`);
  const files = readdirSync(output).sort();
  const sums = files.map((name) => `${sha256(join(output, name))}  ${name}\n`).join('');
  writeFileSync(join(output, 'SHA256SUMS'), sums);
  return [...files, 'SHA256SUMS'];
}

async function takeOver(clone, version) {
  await must('git', ['fetch', '--quiet', clone, 'HEAD', `refs/tags/v${version}:refs/tags/v${version}`]);
  await must('git', ['merge', '--quiet', '--ff-only', `v${version}`]);
  say(`\nCommitted and tagged v${version}. RELEASING.md says how to push and publish it.`);
}

/** Runs a program and returns what it printed. A failure ends the release. */
async function must(program, args, cwd = ROOT, wanted = 'both') {
  const { code, text, stdout } = await execute(program, args, { output: 'quiet', cwd });
  if (code !== 0) throw new Refusal(`${program} ${args.join(' ')} failed:\n${text.trim().slice(-4_000)}`);
  return (wanted === 'stdout' ? stdout : text).trim();
}

function sha256(path) {
  if (!existsSync(path)) throw new Refusal(`${path} is missing.`);
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

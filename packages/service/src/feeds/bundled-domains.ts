import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { listOrigin, readRows } from '../lists/read-list.ts';
import { compileDomains, type DomainSource } from './compile-domains.ts';

const require = createRequire(import.meta.url);

/**
 * The lists from npm packages, read from their data files, because the packages’ own look-up functions build a set per
 * call, match only exactly, or use the network. docs/data-sources.md has the quality and age of each.
 */
export async function bundledDomainSources(): Promise<DomainSource[]> {
  return await Promise.all([castle(), curatedBlocklist(), fakeFilter(), burnerEmail(), emailAlias()]);
}

const CASTLE_HISTORY = 'domains/castle-history.tsv';

/** Everything that the feed of the same name listed within ten weeks. */
function castle(): DomainSource {
  const domains = readRows(CASTLE_HISTORY).flatMap(([domain]) => domain ?? []);
  return { name: 'castle', tier: 'curated', date: listOrigin(CASTLE_HISTORY).date, domains, history: true };
}

/**
 * Fresh sources replace bundled ones of the same name. A history is kept too, because the feed only has domains that
 * are abused right now, and a domain that was abused in May is still disposable.
 */
export function mergeSources(
  fresh: readonly DomainSource[],
  bundled: readonly DomainSource[],
): DomainSource[] {
  return [
    ...fresh.map((source) => {
      const replaced = bundled.find(({ name }) => name === source.name);
      return replaced?.history === true
        ? { ...source, domains: [...source.domains, ...replaced.domains] }
        : source;
    }),
    ...bundled.filter(({ name }) => !fresh.some((source) => source.name === name)),
  ];
}

export async function compileBundledDomains(): Promise<Uint8Array<ArrayBuffer>> {
  return compileDomains(await bundledDomainSources());
}

/**
 * Reads a data file of an installed package. A package may not export its `package.json`, so the folder is found
 * from the file that the package’s name resolves to.
 */
async function readPackageFile(name: string, path: string): Promise<string> {
  let folder = dirname(require.resolve(name));
  while (!folder.endsWith(join('node_modules', ...name.split('/')))) {
    const parent = dirname(folder);
    if (parent === folder) {
      throw new Error(`bundled domains: no folder for the package ${name}`);
    }
    folder = parent;
  }
  return await readFile(join(folder, path), 'utf8');
}

async function curatedBlocklist(): Promise<DomainSource> {
  const text = await readPackageFile(
    'disposable-email-domains-js',
    'dist/dict/disposable_email_blocklist.json',
  );
  return {
    name: 'disposable-email-domains',
    tier: 'curated',
    date: '2026-09-01',
    domains: readNames(JSON.parse(text), 'disposable-email-domains-js'),
  };
}

async function fakeFilter(): Promise<DomainSource> {
  const data: unknown = JSON.parse(await readPackageFile('fakefilter', 'json/data.json'));
  const { t, domains } = data as { readonly t?: unknown; readonly domains?: unknown };
  if (typeof t !== 'number' || typeof domains !== 'object' || domains === null) {
    throw new Error('bundled domains: fakefilter does not have the expected layout');
  }
  const date = new Date(t * 1_000).toISOString().slice(0, 10);
  return { name: 'fakefilter', tier: 'curated', date, domains: Object.keys(domains) };
}

/** The package compiles its text file into a string in its module. The raw list is nowhere else. */
async function burnerEmail(): Promise<DomainSource> {
  const code = await readPackageFile('is-burner-email', 'dist/index.js');
  const start = code.indexOf('"', code.indexOf('var blacklist_default = '));
  const end = code.indexOf('";\n', start);
  if (start < 0 || end < 0) {
    throw new Error('bundled domains: is-burner-email does not have the expected layout');
  }
  const text = String(JSON.parse(code.slice(start, end + 1)));
  const domains = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { name: 'is-burner-email', tier: 'aggregator', date: '2026-07-15', domains };
}

/** An aggregate, and a few domains that its maintainers saw in their own sign-ups, which no other list has yet. */
async function emailAlias(): Promise<DomainSource> {
  const name = '@emailalias/disposable-email-detector';
  const [collected, seen] = await Promise.all([
    readPackageFile(name, 'data/disposable-domains.json'),
    readPackageFile(name, 'data/personally-observed-domains.json'),
  ]);
  const { domains } = JSON.parse(collected) as { readonly domains?: unknown };
  const { entries } = JSON.parse(seen) as { readonly entries?: readonly Observation[] };
  const observed = entries?.filter((entry) => entry.observed !== undefined).map((entry) => entry.domain);
  return {
    name: 'emailalias',
    tier: 'aggregator',
    date: '2026-06-15',
    domains: [...readNames(domains, name), ...readNames(observed, name)],
  };
}

interface Observation {
  readonly domain?: unknown;
  readonly observed?: unknown;
}

function readNames(value: unknown, name: string): string[] {
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) {
    throw new Error(`bundled domains: ${name} does not have the expected layout`);
  }
  return value;
}

import { readFile } from 'node:fs/promises';
import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { ListTier } from '../lookup/domain-list-format.ts';
import { NETWORK_KINDS, type NetworkKind } from '../lookup/ip-ranges.ts';
import { whyUnreadable } from '../model/why-unreadable.ts';
import builtInFeeds from './built-in-feeds.json' with { type: 'json' };

/** The file format of a source. */
const FEED_FORMATS = ['domains', 'cidrs', 'relay-csv', 'onionoo', 'asn-csv'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** What its entries are used for. */
type FeedUse =
  /** `spared`: domains that such lists name by mistake, as reviewers found. No aggregator can list them. */
  | { readonly list: 'domains'; readonly tier: ListTier | 'spared' }
  | { readonly list: 'networks'; readonly kind: OverlayKind }
  /** The table of networks itself, the base of the classes. */
  | { readonly list: 'networks'; readonly table: true };

export type OverlayKind = Exclude<NetworkKind, 'ordinary'>;

/** A list on the internet that keeps the checks’ data fresh. */
export interface FeedSource {
  readonly name: string;
  readonly urls: readonly string[];
  readonly format: FeedFormat;
  readonly use: FeedUse;
  readonly licence: string;
  readonly everyMs: number;
  /** How long an entry is kept after the source no longer lists it. */
  readonly keepMs: number;
  /** A file with fewer entries is refused. */
  readonly minEntries: number;
  readonly maxBytes: number;
  /** If the list no longer exists at its URL, this is only a warning and does not degrade the service. */
  readonly optional: boolean;
}

/**
 * The sources that can have data here: those that are refreshed. With POSTERN_FEEDS=off none is, but a bundle from another
 * machine can bring the built-in ones.
 */
export async function readKnownSources(setting: string): Promise<readonly FeedSource[]> {
  return readFeedSources(setting === 'off' ? 'on' : setting);
}

/** Reads the sources from POSTERN_FEEDS: `on`, `off`, or a JSON file with a list of them. */
export async function readFeedSources(setting: string): Promise<readonly FeedSource[]> {
  if (setting === 'off') return [];
  if (setting === 'on') return BUILT_IN_SOURCES;
  let listed: unknown;
  try {
    listed = JSON.parse(await readFile(setting, 'utf8'));
  } catch (cause) {
    throw new Error(`POSTERN_FEEDS: ${setting} ${whyUnreadable(cause)}`, { cause });
  }
  if (!Array.isArray(listed)) throw new Error(`POSTERN_FEEDS: ${setting} must hold a list of sources`);
  return listed.map((entry, at) => readSource(entry, `POSTERN_FEEDS: source ${at + 1} of ${setting}`));
}

/** A source of the operator: the name of a built-in one, or a full definition. */
function readSource(entry: unknown, where: string): FeedSource {
  return BUILT_IN_SOURCES.find(({ name }) => name === entry) ?? defineSource(entry, where);
}

function defineSource(entry: unknown, where: string): FeedSource {
  if (typeof entry !== 'object' || entry === null)
    throw new Error(`${where} is neither a built-in source’s name nor an object`);
  const given = entry as Partial<FeedSource> & {
    readonly url?: string;
    readonly everyHours?: number;
    readonly keepDays?: number;
  };
  const urls = given.urls ?? (given.url === undefined ? [] : [given.url]);
  const { name, format, use } = given;
  if (typeof name !== 'string' || !/^[a-z0-9-]{1,40}$/.test(name))
    throw new Error(`${where} needs a name of a-z, 0-9 and -`);
  if (urls.length === 0 || !urls.every((url) => /^https?:\/\//.test(url)))
    throw new Error(`${where} (${name}) needs a url with http or https`);
  if (format === undefined || !FEED_FORMATS.includes(format))
    throw new Error(`${where} (${name}) needs a format: ${FEED_FORMATS.join(', ')}`);
  if (use === undefined || !fits(use, format))
    throw new Error(
      `${where} (${name}) needs a use that goes with its format: {"list":"domains","tier":one of ${DOMAIN_TIERS.join(', ')}} with domains, {"list":"networks","kind":one of ${OVERLAY_KINDS.join(', ')}} with cidrs, relay-csv and onionoo, {"list":"networks","table":true} with asn-csv`,
    );
  return {
    name,
    urls,
    format,
    use,
    licence: given.licence ?? 'the operator’s',
    everyMs: (given.everyHours ?? 24) * HOUR_MS,
    keepMs: (given.keepDays ?? 0) * DAY_MS,
    minEntries: given.minEntries ?? 1,
    maxBytes: given.maxBytes ?? DEFAULT_MAX_BYTES,
    optional: given.optional === true,
  };
}

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const DOMAIN_TIERS: readonly string[] = ['curated', 'aggregator', 'spared'];
const OVERLAY_KINDS = NETWORK_KINDS.filter((kind): kind is OverlayKind => kind !== 'ordinary');

/** Whether files of that format can be used so. The operator’s JSON may hold anything. */
function fits(use: FeedUse, format: FeedFormat): boolean {
  if (use.list === 'domains') return format === 'domains' && DOMAIN_TIERS.includes(use.tier);
  if (use.list !== 'networks') return false;
  if ('table' in use) return format === 'asn-csv' && use.table;
  return format !== 'domains' && format !== 'asn-csv' && OVERLAY_KINDS.includes(use.kind);
}

/**
 * The sources that are refreshed unless the operator says otherwise, in the form in which an operator writes them.
 * docs/data-sources.md describes the quality of each.
 */
export const BUILT_IN_SOURCES: readonly FeedSource[] = builtInFeeds.map((feed) =>
  defineSource(feed, 'built-in-feeds.json'),
);

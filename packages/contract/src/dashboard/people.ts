import type { ListEntry } from '../project-fields.ts';

export interface ForgetAnswer {
  inboxes: number;
  devices: number;
  /** Pairs of a device and an inbox that it brought. */
  sightings: number;
  logRows: number;
  /** Reports of what became of the person. */
  outcomes: number;
  /** What the person claimed, such as a trial. Erasing frees it, unless `keepClaims` is set. */
  claims: number;
  /** The project’s lists that name the person: `allowList`, `blockList` and named lists. The entries stay there. */
  listedIn: string[];
  erased: boolean;
}

/** Everything that a project stores about one person, for the person. Addresses are masked or hashed, as they are stored. */
export interface PersonExport {
  projectId: string;
  /** ISO 8601. */
  exportedAt: string;
  /** The keyed hashes under which the person is stored. */
  inboxes: string[];
  devices: string[];
  validations: Record<string, unknown>[];
  /** An inbox on a device. */
  sightings: Record<string, unknown>[];
  outcomes: Record<string, unknown>[];
  /** Notes and decisions about the person or the device. */
  timeline: Record<string, unknown>[];
  /** Everything else about the person or these validations, by table: spellings, answers that outlive the log, events … */
  others: Record<string, Record<string, unknown>[]>;
  /** The project’s lists that name the person. */
  listedIn: string[];
}

/** An entry of one of the project’s lists. */
export interface ListedEntry {
  list: ListName;
  entry: ListEntry;
}

/** Whom entries of a list would have concerned, as far as the log knows. Test keys’ validations do not count. */
export interface Reach {
  /** How far back people were counted, unless `since` says that it was less. */
  days: number;
  /** Since when. `null`: all days. Of a log with more than 100,000 rows in that time only the newest count. */
  since: number | null;
  people: number;
  /** The people by what is known of them: the latest `good` or `bad`. */
  good: number;
  bad: number;
  unknown: number;
  /** Their sign-ups as a share of the project’s, from 0 to 1. */
  share: number;
}

export type ListName = 'allowList' | 'blockList';
export type ListChange = { list: ListName; add: ListEntry } | { list: ListName; remove: string };
export interface ListsChanged {
  /** What takes the change back. */
  undo: ListChange[];
}

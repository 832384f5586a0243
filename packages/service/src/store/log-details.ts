import { ACTIONS, CHECK_NAMES, type CheckActions, type CheckName, type KeyType } from '@postern/contract';
import { BoundedMap } from '../model/bounded-map.ts';
import { type FactsForRules, type PackedFacts, packFacts, unpackFacts } from '../model/facts-for-rules.ts';
import { jsonString, jsonValue } from '../model/json-text.ts';
import type { LogRecord } from './log-entry.ts';

/** What a log row only shows. No query looks into it. */
export interface LogDetails {
  readonly keyType: KeyType;
  readonly maskedAddress: string;
  readonly sdkVersion: string | null;
  readonly actions: CheckActions;
  readonly latencyMs: number;
  readonly facts: FactsForRules;
  /** Tells the spellings of an inbox apart: the start of a keyed hash. `null` for the inbox’s own name. */
  readonly spelling: string | null;
  /** The checks’ results, still as JSON: most readers do not need them. */
  readonly checksJson: string;
}

/** Between the checks’ results and the rest. It cannot occur inside JSON that is written without spaces. */
const CHECKS = '\n';
/** 48 bits, which is enough among the spellings of one inbox. */
const SPELLING_LENGTH = 8;

/** Written by hand and without names, because every request writes it and most of the log is made of it. */
export function writeDetails(keyType: KeyType, log: LogRecord, spellingHash: string | null): string {
  const spelling = spellingHash === null ? '' : `,"${spellingHash.slice(0, SPELLING_LENGTH)}"`;
  return `["${keyType}",${jsonString(log.maskedAddress)},${jsonValue(log.sdkVersion)},"${actionsText(log.actions)}",${log.latencyMs},${factsText(log.facts)}${spelling}]${CHECKS}${log.checksJson}`;
}

export function readDetails(written: string): LogDetails {
  const checksAt = written.indexOf(CHECKS);
  const details = JSON.parse(written.slice(0, checksAt)) as WrittenDetails;
  const [keyType, maskedAddress, sdkVersion, actions, latencyMs, facts, spelling = null] = details;
  return {
    keyType,
    maskedAddress,
    sdkVersion,
    actions: readActions(actions),
    latencyMs,
    facts: unpackFacts(facts),
    spelling,
    checksJson: written.slice(checksAt + CHECKS.length),
  };
}

type WrittenDetails = readonly [
  keyType: KeyType,
  maskedAddress: string,
  sdkVersion: string | null,
  actions: string,
  latencyMs: number,
  facts: PackedFacts,
  spelling?: string,
];

function factsText(facts: FactsForRules): string {
  const [bits, kind, operator, network, domain] = packFacts(facts);
  return `[${bits},${jsonString(kind)},${jsonString(operator)},${network},${domain}]`;
}

const actionsTexts = new WeakMap<CheckActions, string>();

/** Such as `block:syntax,mx flag:ip`. Requests that name no checks of their own share their policy’s actions. */
function actionsText(actions: CheckActions): string {
  let text = actionsTexts.get(actions);
  if (text === undefined) {
    const names = Object.keys(actions) as CheckName[];
    text = ACTIONS.map((action) => [action, names.filter((name) => actions[name] === action)] as const)
      .filter(([, checks]) => checks.length > 0)
      .map(([action, checks]) => `${action}:${checks.join(',')}`)
      .join(' ');
    actionsTexts.set(actions, text);
  }
  return text;
}

const actionsRead = new BoundedMap<string, CheckActions>(1_000);

function readActions(text: string): CheckActions {
  let actions = actionsRead.get(text);
  if (actions === undefined) {
    const groups = text === '' ? [] : text.split(' ').map((group) => group.split(':'));
    const byName = new Map(
      groups.flatMap(([action, checks = '']) => checks.split(',').map((name) => [name, action] as const)),
    );
    actions = Object.fromEntries(
      CHECK_NAMES.filter((name) => byName.has(name)).map((name) => [name, byName.get(name)]),
    ) as CheckActions;
    actionsRead.set(text, actions);
  }
  return actions;
}

import type { CheckActions, KeyType } from '@postern/contract';
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
  /** The checks’ results, still as JSON: most readers do not need them. */
  readonly checksJson: string;
}

/** This cannot occur inside a text of the details, because a quote there is escaped. */
const CHECKS = ',"checks":';

/** Written by hand because every request writes it. */
export function writeDetails(keyType: KeyType, log: LogRecord): string {
  return `{"keyType":"${keyType}","maskedAddress":${jsonString(log.maskedAddress)},"sdkVersion":${jsonValue(log.sdkVersion)},"actions":${actionsText(log.actions)},"latencyMs":${log.latencyMs},"facts":${factsText(log.facts)}${CHECKS}${log.checksJson}}`;
}

export function readDetails(json: string): LogDetails {
  const checksAt = json.indexOf(CHECKS);
  const details = JSON.parse(`${json.slice(0, checksAt)}}`) as WrittenDetails;
  return {
    ...details,
    facts: unpackFacts(details.facts),
    checksJson: json.slice(checksAt + CHECKS.length, -1),
  };
}

type WrittenDetails = Omit<LogDetails, 'checksJson' | 'facts'> & { readonly facts: PackedFacts };

function factsText(facts: FactsForRules): string {
  const [bits, kind, operator, network, domain] = packFacts(facts);
  return `[${bits},${jsonString(kind)},${jsonString(operator)},${network},${domain}]`;
}

const actionsTexts = new WeakMap<CheckActions, string>();

/** Requests that name no checks of their own share their policy’s actions. */
function actionsText(actions: CheckActions): string {
  let text = actionsTexts.get(actions);
  if (text === undefined) {
    text = JSON.stringify(actions);
    actionsTexts.set(actions, text);
  }
  return text;
}

import type { CheckName } from '@postern/contract';
import { recallMail, recallNetwork } from '../model/crowd-finding.ts';
import type { FoundBy } from '../model/finding.ts';
import type { History } from '../model/history.ts';
import { aliasCheck } from './alias/alias-check.ts';
import type { Check } from './check.ts';
import { deviceCheck } from './device/device-check.ts';

/** The checks that look at history. The store’s thread calls these, so they need none of the data that checks look up. */
export const RECALLS: Readonly<Partial<Record<CheckName, Check['recall']>>> = {
  disposable: recallMail,
  alias: aliasCheck.recall,
  device: deviceCheck.recall,
  ip: recallNetwork,
};

/** Adds what the project’s history says. What it does not change stays the same object. */
export function recallChecks<Found extends FoundBy>(
  runs: readonly Found[],
  history: History,
): readonly Found[] {
  return runs.map((run) => {
    const recalled = RECALLS[run.check]?.(run.finding, history) ?? run.finding;
    return recalled === run.finding ? run : { ...run, finding: recalled };
  });
}

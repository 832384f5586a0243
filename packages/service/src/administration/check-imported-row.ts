import type { NamedLists } from '@postern/contract/project-fields';
import type { DumpRow } from '../store/administered-store.ts';
import { readRules, refuseMissingLists } from './read-rules.ts';

/** Refuses a project of an export whose rules could not be saved. A rule that cannot be read would never match. */
export function checkImportedRow({ table, row }: DumpRow): void {
  if (table !== 'project') return;
  const rules = readRules(parsed(row.rules) ?? []);
  refuseMissingLists(rules, (parsed(row.named_lists) ?? {}) as NamedLists);
}

/** JSON is a text in the export, whichever store wrote it. */
function parsed(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}

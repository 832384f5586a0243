import type { ListEntry, NamedLists, ProjectSettings } from '@postern/contract/project-fields';
import type { Rule } from '@postern/contract/rules';
import type { Project } from '../../model/project.ts';
import type { ProjectChange } from '../../store/tables/project-table.ts';
import type { Administration } from '../administration.ts';
import { newSettings, wantedChange } from '../change-project.ts';
import { entriesIn, withAuthor } from '../own-list-entries.ts';
import { refuseMissingLists, withChange } from '../read-rules.ts';
import type { GivenProject } from './read-document.ts';

/** The settings of a project that is not there yet. */
export function settingsOfNew(admin: Administration, { id, patch }: GivenProject): ProjectSettings {
  const settings = newSettings(admin, id, patch);
  const rules = withChange(settings.rules, [], admin);
  refuseMissingLists(rules, settings.namedLists);
  return { ...settings, rules };
}

/** The settings of a project after the document is applied: what it does not name stays. */
export function mergedChange(
  admin: Administration,
  current: Project,
  { patch, archived }: GivenProject,
): ProjectChange {
  const { allowList, blockList, namedLists, rules, ...fields } = patch;
  return wantedChange(admin, current, {
    ...fields,
    ...(allowList && { allowList: mergedEntries(current.allowList, allowList) }),
    ...(blockList && { blockList: mergedEntries(current.blockList, blockList) }),
    ...(namedLists && { namedLists: mergedLists(current.namedLists, namedLists) }),
    ...(rules && { rules: mergedRules(current.rules, rules) }),
    ...(archived !== undefined && { archived }),
  });
}

/** The settings after the document is applied with `--prune`: those of a new project. */
export function prunedChange(
  admin: Administration,
  current: Project,
  { id, patch, archived = false }: GivenProject,
): ProjectChange {
  const settings = withAuthor(newSettings(admin, id, patch), current, admin.actor) as ProjectSettings;
  const rules = withChange(settings.rules, current.rules, admin);
  refuseMissingLists(rules, settings.namedLists);
  return { ...settings, rules, archivedAt: archived ? (current.archivedAt ?? admin.now()) : null };
}

function mergedEntries(current: readonly ListEntry[], given: readonly ListEntry[]): ListEntry[] {
  const named = new Map(given.map((entry) => [entry.value, entry]));
  const kept = current.map((entry) => named.get(entry.value) ?? entry);
  const known = new Set(current.map(({ value }) => value));
  return [...kept, ...given.filter(({ value }) => !known.has(value))];
}

function mergedLists(current: NamedLists, given: NamedLists): NamedLists {
  const changed = Object.entries(given).map(([name, entries]) => [
    name,
    mergedEntries(entriesIn(current, name), entries),
  ]);
  return { ...current, ...Object.fromEntries(changed) };
}

/** The file’s rules in the file’s order, then the others. */
function mergedRules(current: readonly Rule[], given: readonly Rule[]): Rule[] {
  const named = new Set(given.map(({ id }) => id));
  return [...given, ...current.filter(({ id }) => !named.has(id))];
}

import { type ProjectState, projectDocument } from './project-document.ts';
import type { ShownWebhook } from './webhook-url.ts';

/** A project’s state with names for its webhooks that say nothing secret. */
export interface ShownState extends ProjectState {
  readonly webhooks: readonly ShownWebhook[];
}

/** One value that differs. `before` is absent if it is new, `after` if it goes. */
export interface Difference {
  readonly project: string;
  /** Such as `rateClient`, `policy.actions.ip`, `rules.new_domains.when` or `blockList.spam.example`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What changes from one state of a project to the other. Empty if nothing does. */
export function differencesOf(project: string, before: ShownState, after: ShownState): Difference[] {
  const [was, is] = [valuesOf(project, before), valuesOf(project, after)];
  const changes = [...new Set([...is.keys(), ...was.keys()])].flatMap((path): Difference[] => {
    const [old, now] = [was.get(path), is.get(path)];
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    return [
      { project, path, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) },
    ];
  });
  return [...changes, ...orderChange(project, before, after)];
}

/** Every value of the document by its path. What has a name of its own is found by it, not by its place. */
function valuesOf(project: string, state: ShownState): Map<string, unknown> {
  const document = projectDocument(project, state) as {
    readonly rules: readonly { readonly id: string }[];
    readonly namedLists: Readonly<Record<string, readonly unknown[]>>;
    readonly allowList: readonly unknown[];
    readonly blockList: readonly unknown[];
  };
  const { rules, namedLists, allowList, blockList, ...rest } = document;
  const values = new Map<string, unknown>();
  flatten(values, '', { ...rest, archived: state.archived, webhooks: {} });
  for (const { id, ...rule } of rules) flatten(values, `rules.${id}.`, rule);
  addEntries(values, 'allowList', allowList);
  addEntries(values, 'blockList', blockList);
  for (const [name, entries] of Object.entries(namedLists)) {
    values.set(`namedLists.${name}`, 'a list');
    addEntries(values, `namedLists.${name}`, entries);
  }
  for (const webhook of state.webhooks) {
    values.set(`webhooks.${webhook.shown}`, {
      ...(webhook.name !== null && { name: webhook.name }),
      events: webhook.events,
      format: webhook.format,
      ...(Object.keys(webhook.filter).length > 0 && { filter: webhook.filter }),
    });
  }
  return values;
}

function flatten(
  values: Map<string, unknown>,
  prefix: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      flatten(values, `${prefix}${name}.`, value as Readonly<Record<string, unknown>>);
    else values.set(prefix + name, value);
  }
}

function addEntries(values: Map<string, unknown>, list: string, entries: readonly unknown[]): void {
  for (const entry of entries) {
    const { value, ...rest } = typeof entry === 'string' ? { value: entry } : (entry as { value: string });
    values.set(`${list}.${value}`, rest);
  }
}

function orderChange(project: string, before: ShownState, after: ShownState): Difference[] {
  const [was, is] = [before, after].map(({ rules }) => rules.map(({ id }) => id)) as [string[], string[]];
  const stays = (ids: readonly string[]) => ids.filter((id) => was.includes(id) && is.includes(id)).join();
  if (stays(was) === stays(is)) return [];
  return [{ project, path: 'rules (order)', before: was, after: is }];
}

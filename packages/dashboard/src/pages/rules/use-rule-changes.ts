import type { NewRuleRequest, RuleView } from '@postern/contract/dashboard';
import type { RuleMode } from '@postern/contract/rules';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, failureText } from '../../api/client.ts';
import { rulesQuery } from '../../api/rule-queries.ts';
import { showToast, showUndo } from '../../components/toasts.tsx';

/** The request that creates a deleted rule again. */
function fieldsOf(rule: RuleView): Omit<NewRuleRequest, 'before'> {
  const { id, name, when, then, mode, stepUp, note, message, expiresAt } = rule;
  return {
    id,
    name,
    when,
    then,
    mode,
    ...(stepUp !== undefined && { stepUp }),
    ...(note !== undefined && { note }),
    ...(message !== undefined && { message }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

const SWITCHED: Readonly<Record<RuleMode, (name: string) => string>> = {
  live: (name) => `“${name}” is live: it decides from the next request on.`,
  shadow: (name) => `“${name}” is in shadow: it is only counted.`,
};

const RULES = 'GET /projects/:id/rules';

/** Changes of rules that take one click. Each can be undone for ten seconds. */
export function useRuleChanges(projectId: string) {
  const queryClient = useQueryClient();
  const project = { id: projectId };
  const refreshOthers = () =>
    queryClient.invalidateQueries({ predicate: ({ queryKey: [route] }) => route !== RULES });
  /** Waits only for the rules, because figures and replays can take long. */
  const refresh = async () => {
    void refreshOthers();
    await queryClient.invalidateQueries({ queryKey: rulesQuery(projectId).queryKey });
  };
  /** Does the work, says so, and offers to undo it. */
  const change = async (work: () => Promise<unknown>, text: string, undo?: () => Promise<unknown>) => {
    try {
      await work();
      if (undo === undefined) showToast(text);
      else showUndo(text, () => void change(undo, 'The change is undone.'));
    } catch (error) {
      showToast(failureText(error), true);
    }
    await refresh();
  };
  const create = (body: NewRuleRequest) => api('POST /projects/:id/rules', project, { body });
  const remove = (rule: string) => api('DELETE /projects/:id/rules/:rule', { ...project, rule });
  const versions = () => api('GET /projects/:id/policy-history', { ...project, limit: 2 });
  /** Restores the version before the deletion, which has the rule with its figures, unless another was saved since. */
  const bringBack = async (deletedIn: number | undefined, again: NewRuleRequest) => {
    const [newest, previous] = (await versions()).rows;
    if (previous === undefined || newest?.version !== deletedIn) return create(again);
    const version = String(previous.version);
    return api('POST /projects/:id/policy-history/:version/restore', { ...project, version }, { body: {} });
  };
  const setMode = (rule: string, mode: RuleMode) =>
    api('PATCH /projects/:id/rules/:rule', { ...project, rule }, { body: { mode } });
  const { mutate, isPending } = useMutation({
    // One after the other, so that quick presses arrive in their order.
    scope: { id: `rules ${projectId}` },
    mutationFn: (work: () => Promise<void>) => work(),
  });
  return {
    busy: isPending,
    /** From a ready-made rule. */
    add: (body: NewRuleRequest & { id: string }, text: string) =>
      mutate(() =>
        change(
          () => create(body),
          text,
          () => remove(body.id),
        ),
      ),
    switchTo: ({ id, name, mode: previous }: RuleView, mode: RuleMode) =>
      mutate(() =>
        change(
          () => setMode(id, mode),
          SWITCHED[mode](name),
          () => setMode(id, previous),
        ),
      ),
    remove: (rule: RuleView, onDone?: () => void) => {
      const before = ruleAfter(queryClient.getQueryData(rulesQuery(projectId).queryKey) ?? [], rule.id);
      const again = { ...fieldsOf(rule), ...(before !== null && { before }) };
      let deletedIn: number | undefined;
      mutate(() =>
        change(
          async () => {
            await remove(rule.id);
            deletedIn = (await versions()).rows[0]?.version;
            onDone?.();
          },
          `“${rule.name}” is deleted. It no longer matches anything; its marks in the log stay.`,
          () => bringBack(deletedIn, again),
        ),
      );
    },
    /** Shows the new order at once. */
    move: (id: string, place: number) => {
      const { queryKey } = rulesQuery(projectId);
      const order = withRuleAt(queryClient.getQueryData(queryKey) ?? [], id, place);
      queryClient.setQueryData(queryKey, order);
      const before = ruleAfter(order, id);
      mutate(async () => {
        try {
          await api('POST /projects/:id/rules/:rule/move', { ...project, rule: id }, { body: { before } });
          // Not the rules themselves: the page may already show the next move.
          void refreshOthers();
        } catch (error) {
          showToast(failureText(error), true);
          await refresh();
        }
      });
    },
  };
}

interface WithId {
  readonly id: string;
}

/** The rules with one of them at another place, counted from 0. Places beyond the ends are the ends. */
export function withRuleAt<T extends WithId>(rules: readonly T[], id: string, place: number): T[] {
  const moved = rules.find((rule) => rule.id === id);
  const others = rules.filter((rule) => rule.id !== id);
  if (moved === undefined) return [...rules];
  const at = Math.max(0, Math.min(place, others.length));
  return [...others.slice(0, at), moved, ...others.slice(at)];
}

/** The rule that is asked after this one; `null` for the last. */
export function ruleAfter(rules: readonly WithId[], id: string): string | null {
  const place = rules.findIndex((rule) => rule.id === id);
  return place < 0 ? null : (rules[place + 1]?.id ?? null);
}

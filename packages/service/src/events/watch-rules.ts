import type { Project } from '../model/project.ts';
import { findRulesGoneBad } from '../outcomes/rules-gone-bad.ts';
import type { Store } from '../store/store.ts';
import { reportAlert } from './report-alert.ts';

/** Looks at a project’s rules, if it is time. */
export type WatchRules = (project: Project, now: number) => Promise<void>;

/** Outcomes come in slowly, and looking reads up to a thousand people. */
const LOOK_EVERY_MS = 30 * 60_000;

/** Reports a live rule that hits fewer bad people than average, once for each version of the rule. */
export function createRuleWatch(store: Pick<Store, 'events' | 'outcomes'>): WatchRules {
  const lookedAt = new Map<string, number>();
  return async (project, now) => {
    if (now - (lookedAt.get(project.id) ?? Number.NEGATIVE_INFINITY) < LOOK_EVERY_MS) return;
    lookedAt.set(project.id, now);
    for (const { rule, known, bad, baseRate } of await findRulesGoneBad(store, project, now)) {
      const message = `Rule ${rule.name} (${rule.id}) ${rule.then}s, but only ${bad} of ${known} people it hit are known to be bad: less than the ${percent(baseRate)} of everybody.`;
      await reportAlert(store, {
        projectId: project.id,
        type: 'rule.gone_bad',
        about: [rule.id, rule.changedAt ?? 0],
        at: now,
        data: { ruleId: rule.id, ruleName: rule.name, then: rule.then, known, bad, baseRate, message },
      });
    }
  };
}

const percent = (share: number) => `${Math.round(share * 100)}%`;

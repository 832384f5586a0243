import { DAY_MS } from '@postern/contract';
import type { RuleFailures } from '@postern/contract/dashboard';
import { createdAtOf } from '../outcomes/since-creation.ts';
import { slotOf } from '../store/statistics/statistics-words.ts';
import { findProject } from './change-project.ts';
import { queryNumber, type RouteCall } from './operation.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;

/** How often each rule’s evaluation failed. */
export async function failuresOf(
  call: RouteCall<'GET /projects/:id/rule-failures'>,
): Promise<RuleFailures[]> {
  const { admin } = call;
  const days = queryNumber(call, 'days', 1, MAX_DAYS) ?? DEFAULT_DAYS;
  const { id: projectId, rules } = await findProject(admin, call.params.id);
  const createdAt = createdAtOf(rules);
  const found = new Map<string, RuleFailures>(rules.map(({ id }) => [id, { id, count: 0, lastAt: null }]));
  const to = admin.now() + 1;
  for await (const portion of admin.store.statistics.read(projectId, slotOf(to - days * DAY_MS), to))
    for (const { at, counts } of portion)
      for (const failures of found.values()) {
        if (at < slotOf(createdAt(failures.id))) continue;
        const count = counts.get(`failure:${failures.id}`) ?? 0;
        failures.count += count;
        if (count > 0) failures.lastAt = at;
      }
  return [...found.values()].filter(({ count }) => count > 0);
}

import type { ApiKey } from '../model/api-key.ts';
import { type OriginPattern, parseOriginPattern } from '../model/origin-pattern.ts';
import type { Project } from '../model/project.ts';
import type { KeyWithProject } from '../store/store.ts';

/** A key and its project, with what the gates need of them worked out once. */
export interface ResolvedKey {
  readonly key: ApiKey;
  readonly project: Project;
  readonly origins: readonly OriginPattern[];
  readonly rateLimit: number;
  readonly quotaLimit: number;
  /** Names the rate’s window: a project’s keys of one type and mode share it. */
  readonly window: string;
}

export function resolveKey(
  { key, project }: KeyWithProject,
  plans: ReadonlyMap<string, number>,
): ResolvedKey {
  const origins = project.allowedDomains.flatMap((text) => parseOriginPattern(text) ?? []);
  return {
    key,
    project,
    origins,
    rateLimit: key.type === 'client' ? project.rateClient : project.rateServer,
    // A plan that configuration no longer names grants nothing; the operator hears of it at start.
    quotaLimit: project.quotaLimit ?? plans.get(project.plan) ?? 0,
    window: `${project.id} ${key.type} ${key.mode}`,
  };
}

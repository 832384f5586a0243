import type { KeyType } from '@postern/contract';
import type { ApiKey } from '../model/api-key.ts';
import { type OriginPattern, parseOriginPattern } from '../model/origin-pattern.ts';
import { monthlyQuota, type Project } from '../model/project.ts';
import type { KeyWithProject } from '../store/tables/key-table.ts';

/** A key and its project, with everything the gates need computed once. */
export interface ResolvedKey {
  readonly key: ApiKey;
  readonly project: Project;
  readonly origins: readonly OriginPattern[];
  readonly rateLimit: number;
  /** What this key may use of the month’s quota: a client key cannot use the reserve for server keys. */
  readonly quotaLimit: number;
  readonly wholeQuota: number;
  /** The name of the lane that counts its requests. A project’s keys of the same type and mode share one. */
  readonly lane: string;
}

/** The hourly rate that each type of key has. */
const RATE_OF: Readonly<Record<KeyType, (project: Project) => number>> = {
  client: ({ rateClient }) => rateClient,
  server: ({ rateServer }) => rateServer,
};

export function resolveKey(
  { key, project }: KeyWithProject,
  plans: ReadonlyMap<string, number>,
): ResolvedKey {
  const origins = project.allowedDomains.flatMap((text) => parseOriginPattern(text) ?? []);
  const wholeQuota = monthlyQuota(project, plans);
  return {
    key,
    project,
    origins,
    rateLimit: RATE_OF[key.type](project),
    quotaLimit: key.type === 'client' ? Math.max(0, wholeQuota - project.serverReserve) : wholeQuota,
    wholeQuota,
    lane: `${project.id} ${key.type} ${key.mode}`,
  };
}

import {
  defaultValues,
  POLICY_FIELDS,
  type ProjectPolicy,
  type ProjectSettings,
} from '@postern/contract/project-fields';

export type { ListEntry, ProjectPolicy } from '@postern/contract/project-fields';

/** The fields that people set are declared in the contract's `project-fields.ts`. */
export interface Project extends ProjectSettings {
  readonly id: string;
  readonly createdAt: number;
  readonly archivedAt: number | null;
  /** Increases with every change. */
  readonly version: number;
}

export const DEFAULT_POLICY: ProjectPolicy = defaultValues(POLICY_FIELDS);

/** The project’s own limit, or its plan’s. A plan that is no longer configured grants nothing. */
export function monthlyQuota(
  { quotaLimit, plan }: Pick<Project, 'quotaLimit' | 'plan'>,
  plans: ReadonlyMap<string, number>,
): number {
  return quotaLimit ?? plans.get(plan) ?? 0;
}

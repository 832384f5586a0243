import type { ProjectPolicy } from '../project-fields.ts';
import type { Rule } from '../rules.ts';

/** GET /projects/:id/policy-history */
export interface PolicyHistoryView {
  /** Newest first. */
  rows: PolicyVersionView[];
  /** Pass it as `before` for the next page; `null` at the end. */
  next: number | null;
}
export interface PolicyVersionView {
  version: number;
  at: number;
  /** A member’s ID, `cli` or `service`. */
  by: string;
  byName: string | null;
  reason: string | null;
  /** What changed since the version before, one sentence for each change. */
  changes: string[];
}
/** GET /projects/:id/policy-history/:version: `changes` since the version that `against` names. */
export interface PolicyVersionDetail extends PolicyVersionView {
  policy: ProjectPolicy;
  rules: Rule[];
}

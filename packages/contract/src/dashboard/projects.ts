import type { ProjectPatch, ProjectSettings } from '../project-fields.ts';

export interface ProjectView extends ProjectSettings {
  id: string;
  createdAt: number;
  archivedAt: number | null;
  /** The limit that holds: the project’s own or its plan’s. */
  quota: { limit: number; used: number; resetAt: string };
}
export type ProjectChangeRequest = ProjectPatch & {
  /**
   * Values that the caller saw; of the policy only some settings, as in a change. If one of them is different by now,
   * nothing is changed and the answer is 409.
   */
  expected?: ProjectPatch;
  /** Why, for the audit log and the history of the policy. */
  reason?: string;
};
export interface NewProjectRequest extends Pick<ProjectPatch, 'allowedDomains' | 'plan'> {
  id?: string;
  name: string;
}

export interface OriginTestRequest {
  origin: string;
  /** The project’s own by default. */
  allowedDomains?: readonly string[];
}
/** Which pattern lets the origin in. */
export interface OriginTest {
  allowed: boolean;
  matchedBy: string | null;
  /** Patterns that are none, each with what is wrong. */
  invalid: { pattern: string; error: string }[];
  /** Patterns that let in more than they seem to, each with whom. */
  warnings: { pattern: string; warning: string }[];
}

import type { CaptchaVendor } from '../challenges.ts';
import type { ProjectSettings } from '../project-fields.ts';

export interface ProjectView extends ProjectSettings {
  id: string;
  createdAt: number;
  archivedAt: number | null;
  /** The limit that holds: the project’s own or its plan’s. */
  quota: { limit: number; used: number; resetAt: string };
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

/** The account at a CAPTCHA vendor. `null`: none. */
export interface StepUpVendorView {
  vendor: CaptchaVendor | null;
  siteKey: string;
  /** What happens while the vendor does not answer. */
  away: 'flag' | 'allow';
}

import { type Database, integer, statement, text } from '../database.ts';
import { tableOf } from '../table-of.ts';

/** `verdict-keys`: a backend fetched the keys with which verdicts of the project are verified. */
export type OnboardingMark = 'verdict-keys';

export const ONBOARDING_STEP = tableOf('onboarding_step', {
  projectId: text,
  step: text<OnboardingMark>,
  at: integer,
});

/** What a project has done for the first time, where nothing else remembers it. */
export function onboardingStore(database: Database) {
  return {
    /** Remembers the first time only. Does nothing if there is no such project. */
    async reachStep(projectId: string, step: OnboardingMark, now: number): Promise<void> {
      const when = { sql: 'EXISTS (SELECT 1 FROM project WHERE id = ?)', values: [projectId] };
      const suffix = 'ON CONFLICT (project_id, step) DO NOTHING';
      await database.write([ONBOARDING_STEP.insert({ projectId, step, at: now }, { when, suffix })]);
    },
    async hasReached(projectId: string, step: OnboardingMark): Promise<boolean> {
      const rows = await database.read(
        statement('SELECT at FROM onboarding_step WHERE project_id = ? AND step = ?', projectId, step),
      );
      return rows.length > 0;
    },
  };
}

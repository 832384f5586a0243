import { type Database, statement } from '../database.ts';
import type { OnboardingSteps } from '../onboarding-steps.ts';

export function onboardingTable(database: Database): OnboardingSteps {
  return {
    async reachStep(projectId, step, now) {
      await database.write([
        statement(
          `INSERT INTO onboarding_step (project_id, step, at)
           SELECT id, CAST(? AS TEXT), CAST(? AS BIGINT) FROM project WHERE id = ?
           ON CONFLICT (project_id, step) DO NOTHING`,
          step,
          now,
          projectId,
        ),
      ]);
    },
    async hasReached(projectId, step) {
      const rows = await database.read(
        statement('SELECT at FROM onboarding_step WHERE project_id = ? AND step = ?', projectId, step),
      );
      return rows.length > 0;
    },
  };
}

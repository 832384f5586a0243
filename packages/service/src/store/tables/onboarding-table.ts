import { integer, text } from '../columns.ts';
import type { Database } from '../database.ts';
import { tableOf } from '../table-of.ts';

/** `verdict-keys`: a backend fetched the keys with which verdicts of the project are verified. */
type OnboardingMark = 'verdict-keys';
/** The script of a page with this key found no form at the selector. */
type NoForm = `no-form ${string} ${string}`;

export interface MissingForm {
  readonly keyId: string;
  /** A selector, such as `#sign-up`. */
  readonly form: string;
  readonly at: number;
}

export const ONBOARDING_STEP = tableOf('onboarding_step', {
  projectId: text,
  step: text<OnboardingMark | NoForm>,
  at: integer,
});

/** What a project has done for the first time, and what its pages lack, where nothing else remembers it. */
export function onboardingStore(database: Database) {
  const addition = (projectId: string, step: OnboardingMark | NoForm, now: number) => {
    const when = { sql: 'EXISTS (SELECT 1 FROM project WHERE id = ?)', values: [projectId] };
    const suffix = 'ON CONFLICT (project_id, step) DO NOTHING';
    return ONBOARDING_STEP.insert({ projectId, step, at: now }, { when, suffix });
  };
  const between = (from: string, to: string) => ['AND step >= ? AND step < ?', from, to] as const;
  return {
    /** Remembers the first time only. Does nothing if there is no such project. */
    async reachStep(projectId: string, step: OnboardingMark, now: number): Promise<void> {
      await database.write([addition(projectId, step, now)]);
    },
    /** Remembers the newest report of each key. */
    async noteMissingForm(projectId: string, { keyId, form, at }: MissingForm): Promise<void> {
      const before = between(`no-form ${keyId} `, `no-form ${keyId}!`);
      const removal = ONBOARDING_STEP.remove({ projectId }, ...before);
      await database.write([removal, addition(projectId, `no-form ${keyId} ${form}`, at)]);
    },
    async missingForms(projectId: string): Promise<MissingForm[]> {
      const missing = between('no-form ', 'no-form!');
      return (await ONBOARDING_STEP.findAll(database.read, { projectId }, ...missing)).map(({ step, at }) => {
        const [, keyId = '', ...form] = step.split(' ');
        return { keyId, form: form.join(' '), at };
      });
    },
    async hasReached(projectId: string, step: OnboardingMark): Promise<boolean> {
      return (await ONBOARDING_STEP.find(database.read, { projectId, step })) !== undefined;
    },
  };
}

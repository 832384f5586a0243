/** `verdict-keys`: a backend fetched the keys with which verdicts of the project are verified. */
export type OnboardingMark = 'verdict-keys';

/** What a project has done for the first time, where nothing else remembers it. */
export interface OnboardingSteps {
  /** Remembers the first time only. Does nothing if there is no such project. */
  reachStep(projectId: string, step: OnboardingMark, now: number): Promise<void>;
  hasReached(projectId: string, step: OnboardingMark): Promise<boolean>;
}

/** The steps to a protected form, in order. Each is found out, not ticked off. */
export interface OnboardingView {
  steps: { id: OnboardingStep; done: boolean }[];
  /** Keys whose script found no form on a page, if no request with the key came after that. `form`: its selector. */
  noForm: { keyId: string; name: string; form: string; at: number }[];
}
/**
 * `project`: it exists. `key`: a live client key. `origin`: a page that is not on the developer’s own machine may use
 * it. `snippet`: a client key was used. `validation`: the log has a live validation. `verdict`: a backend fetched the
 * verdict keys for this project, or used a server key.
 */
export type OnboardingStep = 'project' | 'key' | 'origin' | 'snippet' | 'validation' | 'verdict';

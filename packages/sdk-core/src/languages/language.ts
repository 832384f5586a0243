import type { CheckName } from '@postern/contract';

/** Everything a form says to a person, in one language. `{address}` stands for the suggested address. */
export interface Language {
  /** By the failed check that decided. `syntax` is also said of what is no address at all. */
  readonly messages: Readonly<Record<CheckName, string>>;
  /** The address could not be checked, and the site lets nobody pass unchecked. */
  readonly unavailable: string;
  readonly suggestion: string;
  /** On the button that takes the suggestion. */
  readonly accept: string;
}

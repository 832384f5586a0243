import type { CheckName } from '@postern/contract';

/** All texts of a form in one language. `{address}` stands for the suggested address. */
export interface Language {
  /** One text for each check that can fail. `syntax` is also shown for anything that is not an address. */
  readonly messages: Readonly<Record<CheckName, string>>;
  /** Shown if the address could not be checked and the site fails closed. */
  readonly unavailable: string;
  readonly suggestion: string;
  /** The text of the button that accepts the suggestion. */
  readonly accept: string;
}

import type { LanguageTag } from './language-tags.ts';
import texts from './step-up-texts.json' with { type: 'json' };

/** What a form says to a person who has to do something before a flagged sign-up goes on. `{address}` is theirs. */
export interface ChallengeTexts {
  readonly sent: string;
  /** The label of the field. */
  readonly code: string;
  readonly confirm: string;
  readonly wrong: string;
  readonly resend: string;
  readonly resent: string;
  /** For a person whose mail does not come. The sign-up stays flagged. */
  readonly skip: string;
  readonly working: string;
}

/** The same, and the mail with the code. `{site}` is the project’s name. */
interface StepUpTexts extends ChallengeTexts {
  readonly subject: string;
  readonly intro: string;
  readonly ignore: string;
}

export const STEP_UP_TEXTS: Readonly<Record<LanguageTag, StepUpTexts>> = texts;

/** The texts for the form alone. */
export function challengeTexts(language: LanguageTag): ChallengeTexts {
  const { subject: _subject, intro: _intro, ignore: _ignore, ...texts } = STEP_UP_TEXTS[language];
  return texts;
}

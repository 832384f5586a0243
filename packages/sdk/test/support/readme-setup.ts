import type { VerdictClaims } from '@postern/contract';
import type { Browser } from 'playwright';
import type { Snippet, SnippetFolder } from './readme-snippets.ts';
import type { StubAnswer, StubRequest, StubService } from './stub-service.ts';

export const THROWAWAY = 'x@mailinator.com';
/** What the stub service says about it. */
export const PERMANENT = 'Please use a permanent email address.';

/** What the README’s snippets run with. */
export interface ReadmeSetup {
  readonly snippets: readonly Snippet[];
  readonly service: StubService;
  readonly folder: SnippetFolder;
  readonly browser: Browser;
  /** What the service answers to the next requests. */
  answer: (request: StubRequest) => StubAnswer;
  verdict(email: string, claims?: Partial<VerdictClaims>): string;
}

/** How to run each snippet, by its name. */
export type SnippetRuns = Readonly<Record<string, () => Promise<void>>>;

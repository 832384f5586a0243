import { DEFAULT_EVENT } from '@postern/contract';
import type { MailKind } from './mail-facts.ts';

/** What the log keeps of a request only for rules, so that they can be replayed. */
export interface FactsForRules {
  readonly role: boolean;
  readonly tagged: boolean;
  readonly relay: boolean;
  readonly automated: boolean;
  /** The disposable check failed it, or would have. */
  readonly disposable: boolean;
  readonly ipKind: string;
  /** The operator’s name. */
  readonly operator: string;
  readonly mailKind: MailKind;
  readonly mailHost: string;
  /** What the person was doing. */
  readonly event: string;
  /** The host of the operator in whose name a program says it acts, if that could be checked. */
  readonly agentOperator: string;
  /** Whether the operator signed. */
  readonly agentVerified: boolean;
}

/** Nothing is known. */
export const NO_FACTS: FactsForRules = {
  role: false,
  tagged: false,
  relay: false,
  automated: false,
  disposable: false,
  ipKind: '',
  operator: '',
  mailKind: 'unknown',
  mailHost: '',
  event: DEFAULT_EVENT,
  agentOperator: '',
  agentVerified: false,
};

import type { Signal } from '@postern/contract';
import { hasCheapEnding, isInstitution, namesMailboxes } from '../../lookup/domain-name-shape.ts';
import { isMailProvider } from '../../model/mail-providers.ts';
import type { CheckInput, Finding } from '../check.ts';

/** From this many new names a day on, they are made up. */
const CHURN_FROM = 3;

interface CountedSignals {
  readonly signals: readonly Signal[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * What the project’s other requests say about this one. `pattern_burst` is reported here and not by the alias check,
 * because it depends on whose domain it is, and this check knows that.
 */
export function countedSignals(finding: Finding, { activity, address }: CheckInput): CountedSignals {
  const signals: Signal[] = [];
  const metadata: Record<string, unknown> = {};
  const source = finding.metadata?.source;
  // A listed name needs no churn, and one that is known to be good has its reasons.
  const unlisted = source === 'none' || source === 'infrastructure';
  const newNames = unlisted ? (activity?.newNames() ?? 0) : 0;
  if (newNames >= CHURN_FROM) {
    signals.push('subdomain_churn');
    metadata.newNames = newNames;
  }
  const badDomain = unlisted ? activity?.badDomain() : undefined;
  if (badDomain !== undefined) {
    signals.push('domain_turned_bad');
    metadata.turnedBad = badDomain;
  }
  if (unlisted && activity?.newDomain()) signals.push('domain_new_here');
  if (unlisted && hasCheapEnding(address.asciiDomain)) signals.push('cheap_ending');
  if (unlisted && namesMailboxes(address.asciiDomain)) signals.push('unknown_mail_service');
  const pattern = issuesNumbers(address.asciiDomain, source) ? undefined : activity?.patternBurst();
  if (pattern !== undefined) {
    signals.push('pattern_burst');
    metadata.pattern = pattern;
  }
  return { signals, metadata };
}

/** Universities and companies give their people numbers; mail providers let them choose. */
function issuesNumbers(domain: string, source: unknown): boolean {
  return isInstitution(domain) || (source === 'allow' && !isMailProvider(domain));
}

import type { EmailAddress } from '../../model/email-address.ts';
import type { Inbox } from '../../model/inbox.ts';
import type { ProjectPolicy } from '../../model/project.ts';
import { whenReady } from '../../model/when-ready.ts';
import type { Check, CheckInput, Finding } from '../check.ts';

/** Separators count as scattered from this many on, if the pieces between them are this short on average. */
const SCATTERED_FROM = 3;
const SCATTERED_PIECE = 2;

/** Which inbox does the address reach, and did this project see that inbox under another spelling? */
export const aliasCheck: Check = {
  needsDns: true,

  inspect: (input) => whenReady(input.inbox(), (inbox) => judge(inbox, input)),

  recall: (finding, history) => {
    if (!history.inboxReused) return finding;
    return {
      result: 'failed',
      // A problem with the address itself explains more than a repeated inbox.
      error: finding.result === 'failed' ? finding.error : 'The same inbox was seen under another spelling',
      signals: [...(finding.signals ?? []), 'alias_reuse'],
      metadata: { ...finding.metadata, seenBefore: true },
    };
  },

  replay: (logged, _history, policy) =>
    logged?.metadata?.kind === 'relay' ? judgeRelay(logged.metadata, policy) : logged,
};

function judge(inbox: Inbox, input: CheckInput): Finding {
  // Undefined fields are not serialized.
  const { canonical, family, kind, provider } = inbox;
  const metadata = { canonical, family, kind, provider };
  if (inbox.kind === 'relay') return judgeRelay(metadata, input.policy);
  const error = variantError(inbox, input.address);
  return error === undefined
    ? { result: 'passed', metadata }
    : { result: 'failed', error, signals: ['alias_detected'], metadata };
}

function judgeRelay(metadata: Readonly<Record<string, unknown>>, { relays }: ProjectPolicy): Finding {
  const facts = { signals: ['relay_email'], metadata } as const;
  return relays === 'fail'
    ? { result: 'failed', error: 'The address belongs to a privacy relay', ...facts }
    : { result: 'passed', ...facts };
}

/** Why the address is a variant that ordinary people do not sign up with. `undefined` if it is not a variant. */
function variantError(inbox: Inbox, address: EmailAddress): string | undefined {
  switch (inbox.kind) {
    case 'tag':
      return 'The address carries a tag';
    case 'subdomain':
      return 'The address is a subdomain variant of another address';
    case 'dots':
      return isScattered(inbox, address) ? 'The address has extra dots that its provider ignores' : undefined;
    default:
      return undefined;
  }
}

/**
 * Whether separators that the provider ignores are scattered over the name to make variants: many separators with short
 * pieces between them. `jan.van.der.berg` and `j.r.r.tolkien` are people’s names.
 */
function isScattered(inbox: Inbox, address: EmailAddress): boolean {
  const local = address.quoted ? address.local.slice(1, -1) : address.local;
  const letters = inbox.canonical.lastIndexOf('@');
  const separators = local.length - letters;
  return separators >= SCATTERED_FROM && letters / (separators + 1) <= SCATTERED_PIECE;
}

import type { EmailAddress } from '../../model/email-address.ts';
import type { Inbox } from '../../model/inbox.ts';
import type { ProjectPolicy } from '../../model/project.ts';
import type { Check, CheckInput, Finding } from '../check.ts';

/** From this many separators on, where the provider sees none of them, somebody is making variants. */
const SCATTERED = 3;

/** What inbox does the address really reach, and did this project see that inbox under another spelling? */
export const aliasCheck: Check = {
  inspect: (input) => {
    const inbox = input.inbox();
    return inbox instanceof Promise ? inbox.then((found) => judge(found, input)) : judge(inbox, input);
  },

  recall: (finding, history) => {
    if (!history.inboxReused) return finding;
    return {
      outcome: 'failed',
      // What the address shows by itself explains more than that it came before.
      error: finding.outcome === 'failed' ? finding.error : 'The same inbox was seen under another spelling',
      signals: [...(finding.signals ?? []), 'alias_reuse'],
      metadata: { ...finding.metadata, seenBefore: true },
    };
  },

  replay: (logged, _history, policy) =>
    logged?.metadata?.kind === 'relay' ? judgeRelay(logged.metadata, policy) : logged,
};

function judge(inbox: Inbox, input: CheckInput): Finding {
  // A field that is undefined does not show.
  const { canonical, family, kind, provider } = inbox;
  const metadata = { canonical, family, kind, provider };
  if (inbox.kind === 'relay') return judgeRelay(metadata, input.policy);
  const error = variantError(inbox, input.address);
  return error === undefined
    ? { outcome: 'passed', metadata }
    : { outcome: 'failed', error, signals: ['alias_detected'], metadata };
}

function judgeRelay(metadata: Readonly<Record<string, unknown>>, { relays }: ProjectPolicy): Finding {
  const facts = { signals: ['relay_email'], metadata } as const;
  return relays === 'fail'
    ? { outcome: 'failed', error: 'The address belongs to a privacy relay', ...facts }
    : { outcome: 'passed', ...facts };
}

/** Why the address is a variant that ordinary people do not sign up with; `undefined` when it is none. */
function variantError(inbox: Inbox, address: EmailAddress): string | undefined {
  switch (inbox.kind) {
    case 'tag':
      return 'The address carries a tag';
    case 'subdomain':
      return 'The address is a subdomain variant of another address';
    case 'dots':
      return isScattered(inbox, address) ? 'The address is dotted to look like another one' : undefined;
    default:
      return undefined;
  }
}

/**
 * Whether the characters that the provider does not see are scattered over the name. Proton does not see hyphens and
 * underscores either, and these stand in people’s names (`van-der-berg`): they count where they cut single letters off.
 */
function isScattered(inbox: Inbox, address: EmailAddress): boolean {
  const local = address.quoted ? address.local.slice(1, -1) : address.local;
  const unseen = local.length - inbox.canonical.lastIndexOf('@');
  if (unseen < SCATTERED) return false;
  const pieces = local.split(/[._-]/);
  return local.split('.').length > SCATTERED || pieces.some((piece) => piece.length === 1);
}

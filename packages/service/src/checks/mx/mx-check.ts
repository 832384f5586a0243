import type { Signal } from '@postern/contract';
import { BoundedMap } from '../../model/bounded-map.ts';
import { type MailHost, type MailRoute, NOT_ASKED } from '../../model/mail-route.ts';
import { refusalOfProvider } from '../../model/provider-local-parts.ts';
import { whenReady } from '../../model/when-ready.ts';
import type { Check, Finding } from '../check.ts';
import { suggestDomain } from './suggest-domain.ts';

export interface MxCheckOptions {
  /** The well-known domain that a domain is probably a misspelling of. */
  readonly suggest?: (asciiDomain: string) => string | undefined;
}

/** Whether mail can get to the domain at all. A misspelling adds a suggestion and never fails the check by itself. */
export function createMxCheck({ suggest = suggestDomain }: MxCheckOptions = {}): Check {
  // Most people are at a few providers, whose routes stay the same object as long as DNS remembers them.
  const judged = new BoundedMap<string, { readonly route: MailRoute; readonly finding: Finding }>(MAX_JUDGED);
  const judgeOnce = (domain: string, route: MailRoute): Finding => {
    const before = judged.get(domain);
    if (before?.route === route) return before.finding;
    const finding = judge(route, suggest(domain));
    Object.freeze(finding.metadata);
    judged.set(domain, { route, finding });
    return finding;
  };
  return {
    needsDns: true,
    // There is no name to look up in an address literal. The syntax check handles those.
    inspect: ({ address, mailRoute }) =>
      address.literal
        ? judge(NOT_ASKED, undefined)
        : whenReady(mailRoute(), (route) => {
            const finding = judgeOnce(address.asciiDomain, route);
            const suggestion = finding.metadata?.suggestion;
            // Gmail has no `jane`: never suggest what the next request refuses.
            return typeof suggestion === 'string' &&
              refusalOfProvider(address.local, suggestion) !== undefined
              ? judge(route, undefined)
              : finding;
          }),
  };
}

const MAX_JUDGED = 4_096;

function judge(route: MailRoute, suggestion: string | undefined): Finding {
  const hint = suggestion === undefined ? undefined : { suggestion };
  switch (route.status) {
    case 'found':
      return {
        result: 'passed',
        signals: signals(hint),
        metadata: {
          status: 'ok',
          records: records(route.hosts),
          ...(route.implicit ? { implicit: true } : undefined),
          ...hint,
        },
      };
    case 'unknown':
      return {
        result: 'unknown',
        reason: route.reason,
        signals: route.alone ? signals(hint, 'dns_no_answer') : signals(hint),
        metadata: { status: 'unknown', reason: route.reason, ...hint },
      };
    case 'unroutable':
      return failure(
        'unroutable_mx',
        'The domain’s mail hosts cannot be reached',
        hint,
        records(route.hosts),
      );
    case 'null-mx':
      return failure('null_mx', 'The domain accepts no mail', hint);
    case 'no-records':
      return failure('no_mx_records', 'The domain has no mail host', hint);
    case 'no-domain':
      return failure('domain_not_found', 'The domain does not exist', hint);
  }
}

type Hint = { readonly suggestion: string } | undefined;

function failure(signal: Signal, error: string, hint: Hint, found: readonly object[] = []): Finding {
  return {
    result: 'failed',
    error,
    signals: signals(hint, signal),
    metadata: { status: 'ok', records: found, ...hint },
  };
}

function signals(hint: Hint, ...found: readonly Signal[]): readonly Signal[] {
  return hint === undefined ? found : [...found, 'domain_typo'];
}

function records(hosts: readonly MailHost[]): readonly object[] {
  return hosts.map(({ exchange, priority }) => ({ exchange, priority }));
}

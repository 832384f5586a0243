import type { CheckInput, Finding } from '../../src/checks/check.ts';
import { createDisposableCheck } from '../../src/checks/disposable/disposable-check.ts';
import { compileDomains } from '../../src/feeds/compile-domains.ts';
import { loadDomainList } from '../../src/lookup/domain-list.ts';
import type { MailRoute } from '../../src/model/mail-route.ts';
import { inputFor as inputOfEmail } from './check-input.ts';

export const NOW = Date.UTC(2026, 10, 15);

export const list = loadDomainList(
  compileDomains(
    [
      { name: 'one', tier: 'curated', date: '2026-09-01', domains: ['sure.example', 'operator.example'] },
      {
        name: 'two',
        tier: 'aggregator',
        date: '2026-06-01',
        domains: ['weak.example', 'sure.example', 'college.edu', 'w1.example', 'w2.example', 'w3.example'],
      },
    ],
    {
      allowed: ['provider.example'],
      relays: ['relay.example'],
      typos: ['gmial.example'],
      freeHosts: ['free.example'],
      throwaway: [],
      throwawayMailHosts: ['burner.example', '192.0.2.66'],
      businessMailHosts: ['offices.example'],
      sharedMailHosts: ['forwarder.example', 'shared.operator.example'],
      sharedNameServers: ['names-for-all.example'],
    },
  ),
);

export const found = (...exchanges: string[]): MailRoute => ({
  status: 'found',
  implicit: false,
  hosts: exchanges.map((exchange) => ({ exchange, priority: 10, addresses: [] })),
});
const UNKNOWN: MailRoute = { status: 'unknown', reason: 'timeout' };

interface Given {
  readonly route?: MailRoute | Promise<MailRoute>;
}

export function inputFor(email: string, { route = UNKNOWN }: Given = {}): CheckInput {
  return inputOfEmail(email, { mailRoute: () => route, now: NOW });
}

export const check = createDisposableCheck({ domainList: () => list });
export const inspect = (email: string, given?: Given) => check.inspect(inputFor(email, given)) as Finding;

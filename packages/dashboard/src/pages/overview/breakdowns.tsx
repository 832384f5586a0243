import type { Overview } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { CHECKS, signalMeaning } from '../../components/check-names.ts';
import { count } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { BarList } from './bar-list.tsx';

const LINK = 'rounded hover:text-accent hover:underline';

/** Why addresses failed and where they come from; each row leads to the log behind it. */
export function Breakdowns({ projectId, data }: { projectId: string; data: Overview }) {
  const to = '/projects/$projectId/validations' as const;
  const params = { projectId };
  const of = data.sampled.rows;
  const basis = data.sampled.partial ? `From the newest ${count(of)} validations.` : undefined;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
      <Section title="Failing checks" lead={basis}>
        <BarList
          label="Failing checks"
          head={['Check', 'Failures']}
          of={of}
          empty="No check has failed."
          rows={data.failedChecks.map(({ check, count: value }) => ({
            key: check,
            value,
            name: (
              <Link to={to} params={params} search={{ check }} className={LINK}>
                {CHECKS[check].title}
              </Link>
            ),
          }))}
        />
      </Section>
      <Section title="Signals" lead={basis}>
        <BarList
          label="Signals"
          head={['Signal', 'Count']}
          of={of}
          empty="No signal was raised."
          rows={data.signals.slice(0, 8).map(({ signal, count: value }) => ({
            key: signal,
            value,
            name: (
              <Link
                to={to}
                params={params}
                search={{ signal }}
                className={LINK}
                title={signalMeaning(signal)}
              >
                <code className="font-mono text-[0.8333rem]">{signal}</code>
              </Link>
            ),
          }))}
        />
      </Section>
      <Section title="Top domains" lead={basis ?? 'Red is the share that was blocked.'}>
        <BarList
          label="Top domains"
          head={['Domain', 'Validations']}
          of={of}
          empty="No domain yet."
          rows={data.domains.slice(0, 8).map(({ domain, count: value, blocked }) => ({
            key: domain,
            value,
            blocked,
            name: (
              <Link to={to} params={params} search={{ domain }} className={LINK}>
                {domain}
                {blocked > 0 && <span className="sr-only">, {blocked} blocked</span>}
              </Link>
            ),
          }))}
        />
      </Section>
    </div>
  );
}

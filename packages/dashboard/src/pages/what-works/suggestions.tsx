import { isCheckName } from '@postern/contract';
import type { OutcomeReportView } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { buttonClass } from '../../components/button.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { count } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';

interface SuggestionsProps {
  projectId: string;
  report: OutcomeReportView;
}

/** Changes that the outcomes speak for. Each can be tried on the past before it is saved. */
export function Suggestions({ projectId, report }: SuggestionsProps) {
  return (
    <Section
      title="Suggestions"
      lead="Nothing changes until you have seen it in the time machine and saved it."
    >
      {report.suggestions.length === 0 ? (
        <p className="text-soft">
          {report.known < 30
            ? `None yet: suggestions need at least 30 people whose outcome is known, and ${count(report.known)} are.`
            : 'None: blocking on another check would not stop many more bad people without hitting good ones.'}
        </p>
      ) : (
        <ul className="grid gap-3">
          {report.suggestions.map(({ check, badStopped, badTotal, goodHit, goodTotal }) => (
            <li
              key={check}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line px-4 py-3"
            >
              <p className="num min-w-0 flex-1 basis-72">
                Blocking when <strong>{isCheckName(check) ? CHECKS[check].title : check}</strong> fails would
                have stopped {count(badStopped)} of {count(badTotal)} bad and {count(goodHit)} of{' '}
                {count(goodTotal)} good sign-ups in {report.days} days.
              </p>
              <Link
                to="/projects/$projectId/policy"
                params={{ projectId }}
                search={{ try: `${check}:block` }}
                className={buttonClass('primary', true)}
              >
                <History size={15} aria-hidden="true" /> Try it in the time machine
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

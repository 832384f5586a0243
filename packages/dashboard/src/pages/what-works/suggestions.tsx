import { isCheckName } from '@postern/contract';
import type { OutcomeReportView, OutcomeSuggestion } from '@postern/contract/dashboard';
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

/** Policy changes that the outcomes support. Each can be tried on past sign-ups before it is saved. */
export function Suggestions({ projectId, report }: SuggestionsProps) {
  return (
    <Section title="Suggestions" lead="Nothing changes until you try it in the time machine and save it.">
      {report.suggestions.length === 0 ? (
        <p className="text-soft">
          {report.known < 30
            ? `None yet: suggestions need at least 30 people with a known outcome, and there are ${count(report.known)}.`
            : 'None: no change would catch many more bad people without affecting good ones.'}
        </p>
      ) : (
        <ul className="grid gap-3">
          {report.suggestions.map((suggestion) => (
            <li
              key={`${suggestion.kind} ${suggestion.name}`}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line px-4 py-3"
            >
              <p className="num min-w-0 flex-1 basis-72">
                <SuggestionText suggestion={suggestion} days={report.days} />
              </p>
              <Link
                to="/projects/$projectId/policy"
                params={{ projectId }}
                search={{
                  try: `${suggestion.name}:${suggestion.kind === 'check' ? 'block' : 'flag'}`,
                  days: report.days,
                }}
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

interface SuggestionTextProps {
  suggestion: OutcomeSuggestion;
  days: number;
}

function SuggestionText({ suggestion, days }: SuggestionTextProps) {
  const { kind, name, badStopped, badTotal, goodHit, goodTotal } = suggestion;
  const bad = `${count(badStopped)} of ${count(badTotal)} bad`;
  const good = `${count(goodHit)} of ${count(goodTotal)} good sign-ups`;
  if (kind === 'signal')
    return (
      <>
        Flagging on <code className="font-mono text-[0.8667rem]">{name}</code> would have sent {bad} and{' '}
        {good} to review in {days} days.
      </>
    );
  return (
    <>
      Blocking on <strong>{isCheckName(name) ? CHECKS[name].title : name}</strong> would have stopped {bad}{' '}
      and {good} in {days} days.
    </>
  );
}

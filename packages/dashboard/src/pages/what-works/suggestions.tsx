import { isCheckName } from '@postern/contract';
import type { OutcomeReportView, OutcomeSuggestion } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { count, percent } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { History } from '../../icons.ts';

interface SuggestionsProps {
  projectId: string;
  report: OutcomeReportView;
}

/** Policy changes that the outcomes support. Each can be tried on past sign-ups before it is saved. */
export function Suggestions({ projectId, report }: SuggestionsProps) {
  return (
    <Section title="Suggestions" lead="Nothing changes until you try it in the time machine and save it.">
      {report.suggestions.length + report.loosening.length === 0 ? (
        <p className="text-soft">
          {report.known < 30
            ? `None yet: suggestions need at least 30 people with a known outcome, and there are ${count(report.known)}.`
            : 'None: for no check or signal with 30 known outcomes would a change catch many more bad people, or spare good ones.'}
        </p>
      ) : (
        <ul className="grid gap-3">
          {report.suggestions.map((suggestion) => (
            <SuggestionLine
              key={`${suggestion.kind} ${suggestion.name}`}
              projectId={projectId}
              days={report.days}
              change={`${suggestion.name}:${suggestion.kind === 'check' ? 'block' : 'flag'}`}
            >
              <SuggestionText suggestion={suggestion} days={report.days} />
            </SuggestionLine>
          ))}
          {report.loosening.map(({ name, to, known, bad }) => (
            <SuggestionLine
              key={`less ${name}`}
              projectId={projectId}
              days={report.days}
              change={`${name}:${to}`}
            >
              Do less on <strong>{titleOf(name)}</strong>: of {count(known)} people who failed it and are
              known, only {count(bad)} are bad ({percent(bad, known)}, against{' '}
              {percent(report.baseRate ?? 0, 1)} of everybody).{' '}
              {to === 'flag' ? 'Flag them instead of blocking.' : 'Allow them instead of flagging.'}
            </SuggestionLine>
          ))}
        </ul>
      )}
      {report.nearlyKnown.length > 0 && (
        <p className="mt-3 text-[0.8667rem] text-soft">
          Not enough is known yet for{' '}
          {report.nearlyKnown
            .map(
              ({ kind, name, known, needed }) =>
                `${kind === 'check' ? titleOf(name) : name} (${known} of ${needed} known)`,
            )
            .join(', ')}
          .
        </p>
      )}
    </Section>
  );
}

interface SuggestionLineProps {
  projectId: string;
  days: number;
  /** What the time machine tries. */
  change: string;
  children: ReactNode;
}

function SuggestionLine({ projectId, days, change, children }: SuggestionLineProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line px-4 py-3">
      <p className="num min-w-0 flex-1 basis-72">{children}</p>
      <Link
        to="/projects/$projectId/policy"
        params={{ projectId }}
        search={{ try: change, days }}
        className={buttonClass('primary', true)}
      >
        <History size={15} /> Try it in the time machine
      </Link>
    </li>
  );
}

const titleOf = (name: string) => (isCheckName(name) ? CHECKS[name].title : name);

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
      Blocking on <strong>{titleOf(name)}</strong> would have stopped {bad} and {good} in {days} days.
    </>
  );
}

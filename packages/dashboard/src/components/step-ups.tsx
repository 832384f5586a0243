import type { RowStepUp, StepUpOutcomes, StepUpView } from '@postern/contract/dashboard';
import { count, percent, plural } from './format.ts';
import { Notice } from './notice.tsx';
import { Section } from './page.tsx';
import { STEP_UP_LABELS } from './policy-fields.tsx';
import { Cell, Table } from './table.tsx';

/** What flags asked people for: who held, and whom it lost. */
export function StepUps({ stepUps }: { stepUps: readonly StepUpView[] }) {
  if (stepUps.length === 0) return null;
  return (
    <Section
      title="Step-up"
      lead="What flags asked people for, as far as the log goes back. Who gave up stayed flagged."
      flush
    >
      {stepUps
        .filter(({ ofGaveUp }) => ofGaveUp.good > 0)
        .map(({ kind, ofGaveUp }) => (
          <Notice key={kind} kind="warn">
            {STEP_UP_LABELS[kind]}: {plural(ofGaveUp.good, 'good person', 'good people')} gave up. That is
            what it costs you.
          </Notice>
        ))}
      <Table
        label="Step-up"
        head={['Asked for', 'Asked', 'Passed', 'Gave up', 'Took', 'Bad among passed', 'Bad among given up']}
        flows
      >
        {stepUps.map(({ kind, asked, passed, gaveUp, medianMs, ofPassed, ofGaveUp }) => (
          <tr key={kind}>
            <Cell className="font-medium">{STEP_UP_LABELS[kind]}</Cell>
            <Cell className="num">{count(asked)}</Cell>
            <Cell className="num">{count(passed)}</Cell>
            <Cell className="num">{count(gaveUp)}</Cell>
            <Cell className="num">{medianMs === null ? '–' : `${(medianMs / 1_000).toFixed(1)} s`}</Cell>
            <Cell className="num">
              <Share outcomes={ofPassed} />
            </Cell>
            <Cell className="num">
              <Share outcomes={ofGaveUp} />
            </Cell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function Share({ outcomes: { good, bad, unknown, share, low, high } }: { outcomes: StepUpOutcomes }) {
  if (share === null || low === null || high === null)
    return <span className="text-faint">{count(unknown)} not known yet</span>;
  return (
    <>
      {percent(bad, good + bad)}{' '}
      <span className="text-faint">
        {percent(low, 1)} to {percent(high, 1)}, {count(unknown)} not known
      </span>
    </>
  );
}

const ASKED = { code: 'a mailed code', work: 'work', vendor: 'a CAPTCHA' } as const;
const RESULTS = { open: 'asked for', passed: 'passed', failed: 'failed', gave_up: 'gave up at' } as const;

/** What a flag asked of one person, and what became of it: `passed a mailed code`. */
export const stepUpText = ({ kind, result }: RowStepUp) => `${RESULTS[result]} ${ASKED[kind]}`;

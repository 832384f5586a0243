import { CHALLENGE_TRIES, STEP_UP_KINDS } from '@postern/contract';
import type { RowStepUp, StepUpOutcomes, StepUpView } from '@postern/contract/dashboard';
import type { AskedPerson } from '../store/tables/challenge-table.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** How many people each kind of step-up asked, let through and lost, and how they turned out. */
export function stepUpFigures(people: readonly AskedPerson[], now: number): StepUpView[] {
  return STEP_UP_KINDS.flatMap((kind) => {
    const asked = people.filter((person) => person.kind === kind);
    if (asked.length === 0) return [];
    const passed = asked.filter(({ passedAt }) => passedAt !== null);
    const gaveUp = asked.filter(({ passedAt, expiresAt }) => passedAt === null && expiresAt <= now);
    const took = passed.map(({ at, passedAt }) => (passedAt ?? at) - at).sort((a, b) => a - b);
    return {
      kind,
      asked: asked.length,
      passed: passed.length,
      gaveUp: gaveUp.length,
      medianMs: took[Math.floor((took.length - 1) / 2)] ?? null,
      ofPassed: outcomesOf(passed),
      ofGaveUp: outcomesOf(gaveUp),
    };
  });
}

/** What became of one who was asked. */
export function stepUpOfRow({ kind, passedAt, tries, expiresAt }: AskedPerson, now: number): RowStepUp {
  if (passedAt !== null) return { kind, result: 'passed' };
  if (tries >= CHALLENGE_TRIES) return { kind, result: 'failed' };
  return { kind, result: expiresAt <= now ? 'gave_up' : 'open' };
}

function outcomesOf(people: readonly AskedPerson[]): StepUpOutcomes {
  const count = (wanted: AskedPerson['judgement']) =>
    people.filter(({ judgement }) => judgement === wanted).length;
  const [good, bad] = [count('good'), count('bad')];
  const known = good + bad;
  const interval = known === 0 ? undefined : wilsonInterval(bad, known);
  return {
    good,
    bad,
    unknown: people.length - known,
    share: known === 0 ? null : bad / known,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}

import { isPolicySignal, SIGNALS } from '@postern/contract';
import type { ValidationRow } from '@postern/contract/dashboard';
import { useProject } from '../../api/use-project.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { stepUpText } from '../../components/step-ups.tsx';
import { LISTED } from './answer-summary.ts';

interface Reason {
  readonly text: string;
  readonly tone: Tone;
}

/** Why a row was answered so: the list entry or the rule that decided, the failed checks, then signals that fail none. */
export function reasonsOf(
  { lists, rules, failed, signals, recommendation, stepUp }: ValidationRow,
  nameOfRule: (id: string) => string,
): Reason[] {
  const [listing] = lists;
  const [action, kind = ''] = listing?.split(':') ?? [];
  const [rule] = rules;
  const hints = signals.filter((signal) => {
    const check = isPolicySignal(signal) ? SIGNALS[signal].check : null;
    return check !== null && !failed.includes(check);
  });
  const passed: Tone = stepUp?.result === 'passed' ? 'allow' : 'neutral';
  return [
    ...(stepUp ? [{ text: stepUpText(stepUp), tone: passed }] : []),
    ...(listing === undefined
      ? []
      : [{ text: `${action} list: ${LISTED[kind] ?? kind}`, tone: recommendation }]),
    ...(listing !== undefined || rule === undefined
      ? []
      : [{ text: `rule: ${nameOfRule(rule)}`, tone: recommendation }]),
    ...failed.map((name) => ({ text: CHECKS[name].title, tone: 'neutral' as const })),
    ...hints.map((signal) => ({ text: signal.replaceAll('_', ' '), tone: 'neutral' as const })),
  ];
}

function useReasons(row: ValidationRow): Reason[] {
  const { rules } = useProject();
  return reasonsOf(row, (id) => rules.find((rule) => rule.id === id)?.name ?? id);
}

const SHOWN = 2;

/** The first ones, as far as there is room, and how many more there are. The row’s link has all as its title. */
export function WhyBadges({ row }: { row: ValidationRow }) {
  const reasons = useReasons(row);
  return (
    <>
      {reasons.map(({ text, tone }, index) =>
        index < SHOWN ? (
          <Badge key={text} tone={tone}>
            <span className="truncate">{text}</span>
          </Badge>
        ) : (
          <span key={text} className="sr-only">
            {text}
          </span>
        ),
      )}
      {reasons.length > SHOWN && <span aria-hidden="true">+{reasons.length - SHOWN}</span>}
    </>
  );
}

/** The same as a sentence. */
export const WhyText = ({ row }: { row: ValidationRow }) => useWhyText(row);

export function useWhyText(row: ValidationRow): string {
  const texts = useReasons(row).map(({ text }) => text);
  return texts.join(', ') || 'no problems found';
}

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
  return [
    ...(stepUp == null
      ? []
      : [
          {
            text: stepUpText(stepUp),
            tone: stepUp.result === 'passed' ? ('allow' as const) : ('neutral' as const),
          },
        ]),
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

export function WhyBadges({ row }: { row: ValidationRow }) {
  return useReasons(row).map(({ text, tone }) => (
    <Badge key={text} tone={tone}>
      {text}
    </Badge>
  ));
}

/** The same as a sentence, where there is little room. */
export function WhyText({ row }: { row: ValidationRow }) {
  return (
    useReasons(row)
      .map(({ text }) => text)
      .join(', ') || 'no problems found'
  );
}

import { count } from '../../components/format.ts';

interface ChangeProps {
  now: number;
  before: number;
}

/** How a number differs from the time before, without a judgement: more blocks can be good or bad. */
export function Change({ now, before }: ChangeProps) {
  return (
    <span title={`${count(before)} in the time before`} className="whitespace-nowrap">
      {changeText(now, before)}
    </span>
  );
}

export function changeText(now: number, before: number): string {
  if (now === before) return 'as before';
  if (before === 0) return 'none before';
  const share = Math.abs(now - before) / before;
  const arrow = now > before ? '▲' : '▼';
  // A multiple reads better than a percentage with four digits.
  if (share >= 10) return `${arrow} ${Math.round(now / before)} times as many`;
  return `${arrow} ${Math.max(1, Math.round(share * 100))}%`;
}

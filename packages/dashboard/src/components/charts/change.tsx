import { count } from '../format.ts';

interface ChangeProps {
  now: number;
  before: number;
}

/** The change from the previous period. It has no colour, because more blocks can be good or bad. */
export function Change({ now, before }: ChangeProps) {
  return (
    <span title={`${count(before)} in the previous period`} className="whitespace-nowrap">
      {changeText(now, before)}
    </span>
  );
}

export function changeText(now: number, before: number): string {
  if (now === before) return 'no change';
  if (before === 0) return '0 before';
  const share = Math.abs(now - before) / before;
  const arrow = now > before ? '▲' : '▼';
  // A multiple reads better than a percentage with four digits.
  if (share >= 10) return `${arrow} ${Math.round(now / before)} times as many`;
  return `${arrow} ${Math.max(1, Math.round(share * 100))}%`;
}

import { Choice } from './choice.tsx';
import { absoluteTime } from './format.ts';
import { type Days, RANGE_NAMES, type TimeRange } from './time-range.ts';

interface RangeChoiceProps {
  range: TimeRange;
  onChange: (range: TimeRange) => void;
}

/** Chooses how far back a page looks. A range that came with a link stays until another one is chosen. */
export function RangeChoice({ range, onChange }: RangeChoiceProps) {
  const { from, to, days = 7 } = range;
  const between = from !== undefined && to !== undefined;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Choice
        label="How far back"
        hideLabel
        value={between ? '' : String(days)}
        options={RANGE_NAMES}
        onChange={(value) => onChange({ days: Number(value) as Days })}
      />
      {between && (
        <p className="num text-[0.8667rem] text-soft">
          {absoluteTime(from)} to {absoluteTime(to)}
        </p>
      )}
    </div>
  );
}

import type { RuleFigures } from '@postern/contract/dashboard';
import { count, percent } from '../../components/format.ts';
import { ShareBar } from '../../components/share-bar.tsx';

interface BadShareProps {
  figures: RuleFigures;
  baseRate: number | null;
}

/** The share of bad people among those that the rule matched and whose outcome is known. */
export function BadShare({ figures, baseRate }: BadShareProps) {
  const { known, bad, share, low, high } = figures;
  if (share === null || low === null || high === null)
    return <span className="text-faint">nobody known yet</span>;
  return (
    <div className="grid gap-1">
      <ShareBar share={share} low={low} high={high} baseRate={baseRate} />
      <span className="text-[0.8333rem] whitespace-nowrap">
        {count(bad)} of {count(known)}, {percent(bad, known)}{' '}
        <span className="text-faint">
          ({percent(low, 1)} to {percent(high, 1)})
        </span>
      </span>
    </div>
  );
}

import type { RuleFigures } from '@postern/contract/dashboard';
import { count, percent } from './format.ts';
import { ShareBar } from './share-bar.tsx';

type Figures = Pick<RuleFigures, 'known' | 'bad' | 'share' | 'low' | 'high'>;

/** The share of bad people among those whose outcome is known. */
export function BadShare({ figures, baseRate }: { figures: Figures; baseRate: number | null }) {
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

import type { RuleFigures } from '@postern/contract/dashboard';
import { count, percent } from './format.ts';

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

type ShareBarProps = Record<'share' | 'low' | 'high', number> & { baseRate: number | null };

const HEIGHT = 14;
const MIDDLE = HEIGHT / 2;

/** A bar for the share, with whiskers for its interval. The text beside it says the same. */
function ShareBar({ share, low, high, baseRate }: ShareBarProps) {
  const line = { stroke: 'var(--color-ink)', vectorEffect: 'non-scaling-stroke' } as const;
  return (
    <svg
      role="img"
      aria-label={`${percent(share, 1)} bad, between ${percent(low, 1)} and ${percent(high, 1)}`}
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-3.5 w-full min-w-24"
    >
      <rect width="100" height={HEIGHT} rx="1" fill="var(--color-hover)" />
      <rect width={share * 100} height={HEIGHT} rx="1" fill="var(--color-block-fill)" opacity="0.75" />
      {baseRate !== null && (
        <line
          {...line}
          x1={baseRate * 100}
          x2={baseRate * 100}
          y1="0"
          y2={HEIGHT}
          strokeDasharray="2 2"
          opacity="0.6"
        />
      )}
      <line {...line} x1={low * 100} x2={high * 100} y1={MIDDLE} y2={MIDDLE} />
      {[low, high].map((end, index) => (
        <line
          // biome-ignore lint/suspicious/noArrayIndexKey: the two ends may be equal.
          key={index}
          {...line}
          x1={end * 100}
          x2={end * 100}
          y1={MIDDLE - 4}
          y2={MIDDLE + 4}
        />
      ))}
    </svg>
  );
}

import { percent } from './format.ts';

interface ShareBarProps {
  share: number;
  low: number;
  high: number;
  baseRate: number | null;
}

const HEIGHT = 14;
const MIDDLE = HEIGHT / 2;

/** A bar for the share, with whiskers for its interval. The text beside it says the same. */
export function ShareBar({ share, low, high, baseRate }: ShareBarProps) {
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

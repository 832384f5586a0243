interface TrendProps {
  /** What the picture shows, in words. */
  label: string;
  values: readonly number[];
}

const WIDTH = 72;
const HEIGHT = 18;

/** A bar for each hour or day, small enough for a line of a table. */
export function Trend({ label, values }: TrendProps) {
  const max = Math.max(1, ...values);
  const slot = WIDTH / Math.max(values.length, 1);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-4.5 w-14 shrink-0"
    >
      <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} stroke="var(--color-line)" />
      {values.map((value, index) => {
        const height = value === 0 ? 0 : Math.max((value / max) * HEIGHT, 1);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars do not move.
            key={index}
            x={index * slot}
            y={HEIGHT - height}
            width={Math.max(slot * 0.8, 0.4)}
            height={height}
            fill="var(--color-accent)"
          />
        );
      })}
    </svg>
  );
}

/** How much of a limit is used; it turns amber near the end and red at it. */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  const share = max === 0 ? 0 : Math.min(1, value / max);
  const fill =
    share >= 1 ? 'var(--color-block-fill)' : share >= 0.8 ? 'var(--color-flag-fill)' : 'var(--color-accent)';
  return (
    <svg
      role="img"
      aria-label={`${label}: ${Math.round(share * 100)}%`}
      className="h-1.5 w-full rounded-full"
      preserveAspectRatio="none"
      viewBox="0 0 100 1"
    >
      <rect width="100" height="1" fill="var(--color-hover)" />
      <rect width={share === 0 ? 0 : Math.max(share * 100, 0.8)} height="1" fill={fill} />
    </svg>
  );
}

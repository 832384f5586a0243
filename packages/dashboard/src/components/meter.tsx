/**
 * How much of a limit is used. It turns amber at 80% and red at 100%. Written by hand, because the library’s meter would
 * add 3 KB to the first page.
 */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  const share = max === 0 ? 0 : Math.min(1, value / max);
  const fill = share >= 1 ? 'bg-block-fill' : share >= 0.8 ? 'bg-flag-fill' : 'bg-accent';
  const percent = Math.round(share * 100);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native meter cannot be styled alike in all browsers.
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 overflow-hidden rounded-full bg-hover"
    >
      <div className={`h-full ${fill}`} style={{ width: `${percent}%` }} />
    </div>
  );
}

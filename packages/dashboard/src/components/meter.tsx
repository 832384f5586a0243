import { Meter as BaseMeter } from '@base-ui/react/meter';

/** How much of a limit is used. It turns amber at 80% and red at 100%. */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  const share = max === 0 ? 0 : Math.min(1, value / max);
  const fill = share >= 1 ? 'bg-block-fill' : share >= 0.8 ? 'bg-flag-fill' : 'bg-accent';
  return (
    <BaseMeter.Root aria-label={label} value={Math.round(share * 100)}>
      <BaseMeter.Track className="h-1.5 overflow-hidden rounded-full bg-hover">
        <BaseMeter.Indicator className={fill} />
      </BaseMeter.Track>
    </BaseMeter.Root>
  );
}

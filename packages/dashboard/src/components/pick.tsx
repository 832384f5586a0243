import { clsx } from 'clsx';

interface PickProps {
  label: string;
  value: string | undefined;
  /** What is shown while none is chosen. Without it, one always is. */
  any?: string;
  /** How wide it is. */
  className?: string;
  onChange: (value: string) => void;
  /** Value and name of each. */
  children: readonly (readonly [string, string])[];
}

/** A menu whose label only screen readers say. */
export function Pick({ label, value = '', any, className, onChange, children }: PickProps) {
  return (
    <select
      aria-label={label}
      className={clsx('control', className ?? 'sm:!w-auto sm:max-w-48')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {any !== undefined && <option value="">{any}</option>}
      {children.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

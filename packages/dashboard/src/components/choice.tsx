import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: ReactNode; colour?: string }[];
  onChange: (value: T) => void;
  disabled?: boolean;
  hideLabel?: boolean;
  hint?: ReactNode;
}

/** Radio buttons drawn as one row. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
  disabled = false,
  hideLabel = false,
  hint,
}: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className="min-w-0" disabled={disabled}>
      <legend className={hideLabel ? 'sr-only' : 'mb-1.5 text-[0.8667rem] font-medium'}>{label}</legend>
      <div className="inline-flex max-w-full flex-wrap gap-0.5 rounded-lg border border-line bg-sunken p-0.5">
        {options.map((option) => (
          <label
            key={option.value}
            className={clsx(
              'relative flex min-h-7.5 items-center gap-1.5 rounded-md px-2.5 text-[0.8667rem] has-focus-visible:outline-2 has-focus-visible:outline-accent',
              disabled ? 'cursor-not-allowed' : 'cursor-pointer',
              option.value === value
                ? clsx(
                    'bg-surface font-medium shadow-card ring-1 ring-line-strong',
                    option.colour ?? 'text-ink',
                  )
                : 'text-soft hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              className="absolute inset-0 cursor-[inherit] opacity-0"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="mt-1.5 text-[0.8667rem] text-faint">{hint}</p>}
    </fieldset>
  );
}

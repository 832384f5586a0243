import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import type { Icon } from './create-icon.ts';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  /** Each value with its label. */
  options: Readonly<Partial<Record<T, ReactNode>>>;
  /** Answers have their colours. */
  coloured?: boolean;
  onChange: (value: T) => void;
  disabled?: boolean;
  hideLabel?: boolean;
  hint?: ReactNode;
}

const COLOURS: Readonly<Record<string, string>> = {
  allow: 'text-allow',
  flag: 'text-flag',
  block: 'text-block',
};

/** An icon whose name screen readers say. */
export const iconLabel = (Icon: Icon, name: string) => (
  <>
    <Icon size={14} />
    <span className="sr-only">{name}</span>
  </>
);

/** Radio buttons drawn as one row. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
  disabled = false,
  hideLabel = false,
  coloured = false,
  hint,
}: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className="min-w-0" disabled={disabled}>
      <legend className={hideLabel ? 'sr-only' : 'mb-1.5 text-[0.8667rem] font-medium'}>{label}</legend>
      <div className="inline-flex max-w-full flex-wrap gap-0.5 rounded-lg border border-line bg-sunken p-0.5">
        {(Object.keys(options) as T[]).map((each) => (
          <label
            key={each}
            className={clsx(
              'relative flex min-h-7.5 items-center gap-1.5 rounded-md px-2.5 text-[0.8667rem] has-focus-visible:outline-2 has-focus-visible:outline-accent',
              disabled ? 'cursor-not-allowed' : 'cursor-pointer',
              each === value
                ? clsx(
                    'bg-surface font-medium shadow-card ring-1 ring-line-strong',
                    coloured ? COLOURS[each] : 'text-ink',
                  )
                : 'text-soft hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              className="absolute inset-0 cursor-[inherit] opacity-0"
              checked={each === value}
              onChange={() => onChange(each)}
            />
            {options[each]}
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="mt-1.5 text-[0.8667rem] text-faint">{hint}</p>}
    </fieldset>
  );
}

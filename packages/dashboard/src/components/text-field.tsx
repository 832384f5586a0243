import { clsx } from 'clsx';
import type { InputHTMLAttributes, ReactNode } from 'react';
import { Field } from './field.tsx';
import { useInvalid } from './use-invalid.ts';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  /** Shown in the same line, such as the button that sends it. */
  beside?: ReactNode;
}

/** A labelled input of one line. */
export function TextField({
  label,
  hint,
  error,
  value,
  onChange,
  beside,
  className,
  ...rest
}: TextFieldProps) {
  const invalid = useInvalid();
  return (
    <Field label={label} hint={hint} error={invalid.message ?? error}>
      {(props) => {
        const input = (
          <input
            {...rest}
            {...props}
            className={clsx('control', className, beside !== undefined && '!w-auto min-w-0 flex-1 basis-48')}
            value={value}
            onInvalid={invalid.onInvalid}
            onChange={(event) => {
              invalid.clear();
              onChange(event.target.value);
            }}
          />
        );
        if (beside === undefined) return input;
        return (
          <div className="flex flex-wrap gap-2">
            {input}
            {beside}
          </div>
        );
      }}
    </Field>
  );
}

interface SelectFieldProps {
  label: ReactNode;
  hint?: ReactNode;
  value: string;
  /** Value and name of each. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
  disabled?: boolean;
}

export function SelectField({ label, hint, value, options, onChange, disabled = false }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(props) => (
        <select
          {...props}
          className="control"
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

import type { ReactNode } from 'react';

interface CheckBoxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** A choice with a sentence of its own, under the fields of a form. */
export function CheckBox({ checked, onChange, children }: CheckBoxProps) {
  return (
    <label className="flex items-start gap-2 text-[0.8667rem]">
      <input
        type="checkbox"
        className="mt-0.5"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </label>
  );
}

interface SelectBoxProps {
  /** For screen readers. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** Selects a row of a table, or all of them. */
export function SelectBox({ label, checked, onChange, disabled }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      className="relative z-1 size-4 align-middle"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

interface SelectAllProps {
  names: readonly string[];
  selected: ReadonlySet<string>;
  onSelect: (names: readonly string[]) => void;
}

export function SelectAll({ names, selected, onSelect }: SelectAllProps) {
  return (
    <SelectBox
      label="Select all that are shown"
      checked={names.length > 0 && names.every((name) => selected.has(name))}
      onChange={(on) => onSelect(on ? names : [])}
    />
  );
}

/** The names with one more, or one less. */
export const toggled = (names: ReadonlySet<string>, name: string, on: boolean): string[] =>
  on ? [...names, name] : [...names].filter((each) => each !== name);

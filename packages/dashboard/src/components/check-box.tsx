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
      <span>{children}</span>
    </label>
  );
}

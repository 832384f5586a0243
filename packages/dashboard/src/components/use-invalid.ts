import { type FormEvent, useState } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * The browser's own validation with a message below the field instead of a bubble. Spread `bind` on the control and
 * show `message`.
 */
export function useInvalid() {
  const [message, setMessage] = useState<string | undefined>();
  return {
    message,
    clear: () => setMessage(undefined),
    onInvalid: (event: FormEvent<Control>) => {
      event.preventDefault();
      const control = event.currentTarget;
      setMessage(explain(control));
      if (control.form?.querySelector(':invalid') === control) control.focus();
    },
  };
}

function explain(control: Control): string {
  const { validity } = control;
  const limit = (name: string) => control.getAttribute(name) ?? '';
  if (validity.valueMissing) return 'Fill this in.';
  if (validity.typeMismatch) return 'Enter an email address, such as jane@example.com.';
  if (validity.badInput) return 'Enter a number.';
  if (validity.rangeUnderflow) return `Enter ${limit('min')} or more.`;
  if (validity.rangeOverflow) return `Enter ${limit('max')} or less.`;
  if (validity.stepMismatch) return 'Enter a whole number.';
  if (validity.tooShort) return `Enter at least ${limit('minlength')} characters.`;
  return 'This value is not allowed.';
}

import type { EmailFieldBinding, FieldOptions, ValidationClient } from '@postern/sdk-svelte';
import type { Component, Snippet } from 'svelte';
import type { HTMLInputAttributes } from 'svelte/elements';

type Field = Omit<FieldOptions, 'onChange'>;

export interface EmailFieldProps extends Field, Omit<HTMLInputAttributes, keyof Field | 'children' | 'type'> {
  client: ValidationClient;
  /** What the field is called, in the form’s language. */
  label?: string | undefined;
  /** The same elements and class names without any style. */
  unstyled?: boolean | undefined;
  /** Renders the field: all elements are then the app’s own. */
  children?: Snippet<[EmailFieldBinding]> | undefined;
}

/**
 * A whole field: label, input, message, suggestion and hidden verdict. With `children` only its logic. Other attributes go
 * to the input.
 */
declare const EmailField: Component<EmailFieldProps, object, 'value'>;
type EmailField = ReturnType<typeof EmailField>;
export default EmailField;

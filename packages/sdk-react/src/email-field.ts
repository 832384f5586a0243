import type { ValidationClient } from '@postern/sdk-browser';
import type { ReactNode } from 'react';
import { type EmailFieldBinding, type UseEmailFieldOptions, useEmailField } from './use-email-field.ts';

export interface EmailFieldProps extends UseEmailFieldOptions {
  client: ValidationClient;
  /** Renders the field. All elements and styles are the app’s own. */
  children: (field: EmailFieldBinding) => ReactNode;
}

/** `useEmailField` as a component without any styles. */
export function EmailField({ client, children, ...options }: EmailFieldProps): ReactNode {
  return children(useEmailField(client, options));
}

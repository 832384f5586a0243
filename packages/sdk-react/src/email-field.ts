import type { PosternClient } from '@postern/sdk-browser';
import type { ReactNode } from 'react';
import { type EmailFieldBinding, type UseEmailFieldOptions, useEmailField } from './use-email-field.ts';

export interface EmailFieldProps extends UseEmailFieldOptions {
  postern: PosternClient;
  /** Draws the field from what it is given: every element and every style is the app’s own. */
  children: (field: EmailFieldBinding) => ReactNode;
}

/** `useEmailField` as a component without any look of its own. */
export function EmailField({ postern, children, ...options }: EmailFieldProps): ReactNode {
  return children(useEmailField(postern, options));
}

export {
  createPostern,
  type EmailFieldState,
  type EmailFieldStatus,
  isPosternError,
  type Postern,
  type PosternClient,
  type PosternError,
  type PosternOptions,
  type Validation,
} from '@postern/sdk-browser';
export { EmailField, type EmailFieldProps } from './email-field.ts';
export {
  type EmailFieldBinding,
  type SubmittedEmail,
  type UseEmailFieldOptions,
  useEmailField,
} from './use-email-field.ts';

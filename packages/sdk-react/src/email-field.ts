import { styleField, type ValidationClient } from '@postern/sdk-browser';
import { createElement, Fragment, type ReactNode, useEffect, useId, useRef } from 'react';
import { type EmailFieldBinding, type UseEmailFieldOptions, useEmailField } from './use-email-field.ts';

interface DrawnField {
  /** What the field is called, in the form’s language. */
  label: ReactNode;
  /** Default: `true`. */
  required?: boolean | undefined;
  placeholder?: string | undefined;
  /** The same elements and class names without any style. */
  unstyled?: boolean | undefined;
  children?: undefined;
}

interface OwnElements {
  /** Renders the field. All elements and styles are the app’s own. */
  children: (field: EmailFieldBinding) => ReactNode;
}

export type EmailFieldProps = UseEmailFieldOptions & { client: ValidationClient } & (
    | DrawnField
    | OwnElements
  );

/** A whole field: label, input, message, suggestion and hidden verdict. With `children` only its logic. */
export function EmailField({ client, ...props }: EmailFieldProps): ReactNode {
  if (typeof props.children === 'function') {
    const { children, ...options } = props;
    return createElement(Headless, { client, options, render: children });
  }
  const { label, required = true, placeholder, unstyled = false, children: _none, ...options } = props;
  const render = (field: EmailFieldBinding) =>
    createElement(Drawn, { field, label, required, placeholder, unstyled });
  return createElement(Headless, { client, options, render });
}

interface HeadlessProps {
  client: ValidationClient;
  options: UseEmailFieldOptions;
  render: (field: EmailFieldBinding) => ReactNode;
}

function Headless({ client, options, render }: HeadlessProps): ReactNode {
  return createElement(Fragment, null, render(useEmailField(client, options)));
}

type DrawnProps = Omit<DrawnField, 'children'> & { field: EmailFieldBinding };

function Drawn({ field, label, required, placeholder, unstyled }: DrawnProps): ReactNode {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!unstyled && root.current !== null) styleField(root.current.getRootNode());
  }, [unstyled]);
  return createElement(
    'div',
    { ref: root, className: 'postern-field', 'data-postern': field.status },
    createElement('label', { className: 'postern-label', htmlFor: id }, label),
    createElement('input', { id, className: 'postern-input', required, placeholder, ...field.inputProps }),
    createElement('input', field.verdictProps),
    createElement(
      'div',
      // The text may run from right to left in a page that does not.
      { className: 'postern-help', dir: 'auto' },
      createElement('p', { className: 'postern-message', ...field.messageProps }, field.helpText),
      createElement(
        'button',
        { ...field.suggestionProps, className: 'postern-suggestion', type: 'button' },
        field.acceptText,
      ),
    ),
  );
}

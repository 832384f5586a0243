import { createPosternClient, EmailField, type PosternClient, useEmailField } from '@postern/sdk-react';
import { StrictMode } from 'react';

export interface AppProps {
  baseUrl: string;
  onSignUp: (email: string, verdict: string | null) => void;
}

let postern: PosternClient | undefined;

/** A form as a user would write it, once with the hook and once with the component. */
export function App({ baseUrl, onSignUp }: AppProps) {
  postern ??= createPosternClient({
    baseUrl,
    projectId: 'demo',
    apiKey: 'key',
    // A busy machine must not change the result.
    timeoutMs: 60_000,
    fingerprintTimeoutMs: 60_000,
  });
  return (
    <StrictMode>
      <HookForm postern={postern} onSignUp={onSignUp} />
      <EmailField client={postern} name="second">
        {(field) => (
          <div>
            <input aria-label="Second address" {...field.inputProps} />
            <p {...field.messageProps}>{field.helpText}</p>
          </div>
        )}
      </EmailField>
    </StrictMode>
  );
}

function HookForm({ postern, onSignUp }: { postern: PosternClient; onSignUp: AppProps['onSignUp'] }) {
  const field = useEmailField(postern);
  return (
    <form id="hook" onSubmit={field.handleSubmit(({ email, verdict }) => onSignUp(email, verdict))}>
      <label>
        Email <input {...field.inputProps} />
      </label>
      <p {...field.messageProps}>{field.helpText}</p>
      <button {...field.suggestionProps}>{field.acceptText}</button>
      <output>{field.status}</output>
      <button type="submit">Sign up</button>
    </form>
  );
}

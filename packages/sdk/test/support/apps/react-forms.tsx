import { createPosternClient, type PosternClient } from 'postern~sdk';
import { usePostern } from 'postern~sdk/react';
import { createElement, type FormEvent, StrictMode, useState, version } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { useForm } from 'react-hook-form';

const page = globalThis as unknown as Record<string, unknown> & { baseUrl?: string };
const client = createPosternClient({
  baseUrl: page.baseUrl ?? 'https://postern.test',
  projectId: 'demo',
  apiKey: 'key',
  // A busy machine must not change the result.
  timeoutMs: 60_000,
  fingerprintTimeoutMs: 60_000,
});
const sent: Record<string, unknown>[] = [];
page.sent = sent;

interface FormProps {
  client: PosternClient;
}

const record = (form: HTMLFormElement) => void sent.push(Object.fromEntries(new FormData(form)));

function PlainForm({ client }: FormProps) {
  const { ref } = usePostern(client);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    record(event.currentTarget);
  };
  return (
    <form ref={ref} onSubmit={onSubmit}>
      <input name="email" type="email" />
      <button type="submit">Send</button>
    </form>
  );
}

/** The state is the app’s. */
function ControlledForm({ client }: FormProps) {
  const [value, setValue] = useState('');
  const { ref } = usePostern(client);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    record(event.currentTarget);
  };
  return (
    <form ref={ref} onSubmit={onSubmit}>
      <input name="email" type="email" value={value} onChange={(event) => setValue(event.target.value)} />
      <output>{value}</output>
      <button type="submit">Send</button>
      <button type="button" onClick={() => setValue('set@example.com')}>
        Set
      </button>
    </form>
  );
}

/** A function as the form’s action, which React 18 does not have. */
function ActionForm({ client }: FormProps) {
  const { ref } = usePostern(client);
  const action = async (data: FormData) => void sent.push(Object.fromEntries(data));
  return (
    <form ref={ref} {...({ action } as object)}>
      <input name="email" type="email" defaultValue="jane@example.com" />
      <button type="submit">Send</button>
    </form>
  );
}

function HookForm({ client }: FormProps) {
  const { register, handleSubmit } = useForm({ defaultValues: { email: '', name: '' } });
  const { ref } = usePostern(client);
  return (
    <form
      ref={ref}
      onSubmit={handleSubmit((values, event) => {
        const verdict = new FormData(event?.target as HTMLFormElement).get('postern-verdict');
        sent.push({ ...values, verdict });
      })}
    >
      <input type="email" {...register('email')} />
      <input {...register('name', { required: true })} />
      <button type="submit">Send</button>
    </form>
  );
}

const forms = { PlainForm, ControlledForm, ActionForm, HookForm };

export function App({ form }: { form: string }) {
  return createElement(StrictMode, null, createElement(forms[form as keyof typeof forms], { client }));
}

if (typeof document !== 'undefined') {
  const root = document.getElementById('root') as HTMLElement;
  const app = createElement(App, { form: location.hash.slice(1) });
  if (root.firstChild === null) createRoot(root).render(app);
  else hydrateRoot(root, app);
  page.reactVersion = version;
  requestIdleCallback(() => {
    page.hydrated = true;
  });
}

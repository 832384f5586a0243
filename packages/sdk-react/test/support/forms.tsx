import { createPosternClient, type PosternClient, useEmailField } from '@postern/sdk-react';
import { createElement, StrictMode, useState, version } from 'react';
import { createRoot } from 'react-dom/client';
import { useController, useForm } from 'react-hook-form';

const page = globalThis as unknown as Record<string, unknown> & { baseUrl: string };
const postern = createPosternClient({
  baseUrl: page.baseUrl,
  projectId: 'demo',
  apiKey: 'key',
  timeoutMs: 60_000,
  fingerprintTimeoutMs: 60_000,
});
const sent: Record<string, unknown>[] = [];
page.sent = sent;

interface FormProps {
  client: PosternClient;
}

/** The browser submits the form; the first submit fails because of the name. */
function VerdictForm({ client }: FormProps) {
  const email = useEmailField(client, { defaultValue: 'jane@example.com' });
  const record = (data: FormData) => void sent.push(Object.fromEntries(data));
  const isReact19 = version.startsWith('19');
  const handlers = isReact19
    ? { action: async (data: FormData) => record(data) }
    : {
        onSubmit: (event: React.FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          record(new FormData(event.currentTarget));
        },
      };
  return (
    <form id="verdict" {...(handlers as object)}>
      <input {...email.inputProps} />
      <input {...email.verdictProps} />
      <input name="name" />
      <p {...email.messageProps}>{email.helpText}</p>
      <button {...email.suggestionProps}>{email.acceptText}</button>
      <button type="submit">Send</button>
      <button type="reset">Reset</button>
      <button type="button" onClick={() => email.setValue('joe@example.com')}>
        Joe
      </button>
    </form>
  );
}

function ControlledForm({ client }: FormProps) {
  const [value, setValue] = useState('');
  const email = useEmailField(client, { value, onChange: setValue });
  return (
    <form id="controlled" onSubmit={email.handleSubmit(({ email }) => sent.push({ email }))}>
      <input {...email.inputProps} />
      <output>{value}</output>
      <p {...email.messageProps}>{email.helpText}</p>
      <button {...email.suggestionProps}>{email.acceptText}</button>
      <button type="submit">Send</button>
      <button type="button" onClick={() => setValue('set@example.com')}>
        Set
      </button>
      <button type="button" onClick={email.reset}>
        Clear
      </button>
    </form>
  );
}

function HookForm({ client }: FormProps) {
  const form = useForm({ defaultValues: { email: '', name: '' }, reValidateMode: 'onSubmit' });
  const { field, fieldState } = useController({
    name: 'email',
    control: form.control,
    rules: { validate: () => email.validate() },
  });
  const email = useEmailField(client, { value: field.value, onChange: field.onChange });
  return (
    <form
      id="hook-form"
      onSubmit={form.handleSubmit((values) => void sent.push({ ...values, verdict: email.takeVerdict() }))}
    >
      <input {...email.inputProps} />
      <input {...form.register('name', { required: true })} />
      <p {...email.messageProps}>{fieldState.error?.message}</p>
      <button type="submit">Send</button>
    </form>
  );
}

const forms = { VerdictForm, ControlledForm, HookForm };
const wanted = forms[location.hash.slice(1) as keyof typeof forms];
const root = document.getElementById('root');
if (root === null) throw new Error('no root');
createRoot(root).render(createElement(StrictMode, null, createElement(wanted, { client: postern })));

import type { NewProjectRequest } from '@postern/contract/dashboard';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure, api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useSession } from '../../api/use-session.ts';
import { Field } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { count } from '../../components/format.ts';
import { SelectField, TextField } from '../../components/text-field.tsx';

export function NewProject({ onClose }: { onClose: () => void }) {
  const { plans } = useSession();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [domains, setDomains] = useState('');
  const [plan, setPlan] = useState(plans[0]?.name ?? '');
  const create = useChange({
    send: (body: NewProjectRequest) => api('POST /projects', {}, { body }),
    invalidates: [['projects']],
    inline: true,
    successText: 'The project is ready. Next, create its keys.',
    onDone: (project) =>
      void navigate({ to: '/projects/$projectId/keys', params: { projectId: project.id } }),
  });
  const submit = () => {
    const allowedDomains = domains.split(/[\s,]+/).filter((domain) => domain !== '');
    create.mutate({
      name: name.trim(),
      ...(allowedDomains.length > 0 && { allowedDomains }),
      ...(plan !== '' && { plan }),
    });
  };
  const field = create.error instanceof ApiFailure ? create.error.field : undefined;
  return (
    <FormDialog
      title="New project"
      action="Create the project"
      busy={create.isPending}
      error={create.error !== null && field === undefined ? create.error.message : undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        error={field === 'name' ? create.error?.message : undefined}
        required
        maxLength={100}
        placeholder="Acme web"
        value={name}
        onChange={setName}
      />
      <DomainsField
        error={field === 'allowedDomains' ? create.error?.message : undefined}
        value={domains}
        onChange={setDomains}
      />
      {plans.length > 1 && (
        <SelectField
          label="Plan"
          value={plan}
          options={plans.map((each) => [each.name, `${each.name}: ${count(each.quota)} validations a month`])}
          onChange={setPlan}
        />
      )}
    </FormDialog>
  );
}

interface DomainsFieldProps {
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
}

function DomainsField({ error, value, onChange }: DomainsFieldProps) {
  const hint = (
    <>
      One per line, such as <code className="font-mono">app.example.com</code> or{' '}
      <code className="font-mono">*.example.com</code>. If empty,{' '}
      <code className="font-mono">localhost:*</code> is allowed, for a first test. You can change this later.
    </>
  );
  return (
    <Field label="Domains whose pages may use client keys" hint={hint} error={error}>
      {(props) => (
        <textarea
          {...props}
          rows={3}
          className="control font-mono"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

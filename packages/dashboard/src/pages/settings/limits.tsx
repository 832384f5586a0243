import type { ProjectView } from '@postern/contract/dashboard';
import { type FormEvent, useState } from 'react';
import { useSession } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { count } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { SelectField, TextField } from '../../components/text-field.tsx';
import { useSaveProject } from './use-save-project.ts';

export function Limits({ project, disabled }: { project: ProjectView; disabled: boolean }) {
  const { plans } = useSession();
  const initial = {
    plan: project.plan,
    quotaLimit: project.quotaLimit === null ? '' : String(project.quotaLimit),
    rateClient: String(project.rateClient),
    rateServer: String(project.rateServer),
    retentionDays: String(project.retentionDays),
  };
  const [values, setValues] = useState(initial);
  const save = useSaveProject(project, 'The limits are saved. They hold from the next request on.');
  const changed = JSON.stringify(values) !== JSON.stringify(initial);
  const planQuota = plans.find(({ name }) => name === values.plan)?.quota;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({
      plan: values.plan,
      quotaLimit: values.quotaLimit === '' ? null : Number(values.quotaLimit),
      rateClient: Number(values.rateClient),
      rateServer: Number(values.rateServer),
      retentionDays: Number(values.retentionDays),
    });
  };
  const bind = (name: keyof typeof values) => ({
    disabled,
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  const number = (name: keyof typeof values) => ({ ...bind(name), type: 'number', min: 1, required: true });
  const names = plans.map(({ name, quota }) => [name, `${name}: ${count(quota)} a month`] as const);
  const known = plans.some(({ name }) => name === project.plan);
  return (
    <Section title="Plan, limits and retention">
      <form className="grid gap-4" onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Plan"
            hint={`Used ${count(project.quota.used)} of ${count(project.quota.limit)} this month.`}
            options={known ? names : [[project.plan, project.plan], ...names]}
            {...bind('plan')}
          />
          <TextField
            label="Own monthly quota"
            hint="Empty: the plan’s."
            placeholder={planQuota === undefined ? '' : String(planQuota)}
            {...bind('quotaLimit')}
            type="number"
            min={0}
          />
          <TextField
            label="Client keys, requests an hour"
            hint="For the whole project, over any sixty minutes."
            {...number('rateClient')}
          />
          <TextField
            label="Server keys, requests an hour"
            hint="Counted apart from client keys."
            {...number('rateServer')}
          />
          <TextField
            label="Retention, days"
            hint="After that, sightings of devices and inboxes are forgotten. The log’s time is the service’s: POSTERN_LOG_RETENTION_DAYS."
            {...number('retentionDays')}
          />
        </div>
        {save.error !== null && <Notice kind="bad">{save.error.message}</Notice>}
        <div className="flex justify-end">
          <Button variant="primary" type="submit" busy={save.isPending} disabled={disabled || !changed}>
            Save the limits
          </Button>
        </div>
      </form>
    </Section>
  );
}

import type { ProjectView } from '@postern/contract/dashboard';
import { type FormEvent, useState } from 'react';
import { useSession } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { count } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
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
    className: 'control',
    disabled,
    value: values[name],
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  });
  const known = plans.some(({ name }) => name === project.plan);
  return (
    <Section title="Plan, limits and retention">
      <form className="grid gap-4" onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Plan"
            hint={`Used ${count(project.quota.used)} of ${count(project.quota.limit)} this month.`}
          >
            {(props) => (
              <select {...props} {...bind('plan')}>
                {!known && <option value={project.plan}>{project.plan}</option>}
                {plans.map(({ name, quota }) => (
                  <option key={name} value={name}>
                    {name}: {count(quota)} a month
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Own monthly quota" hint="Empty: the plan’s.">
            {(props) => (
              <input
                {...props}
                {...bind('quotaLimit')}
                type="number"
                min={0}
                placeholder={planQuota === undefined ? '' : String(planQuota)}
              />
            )}
          </Field>
          <Field label="Client keys, requests an hour" hint="For the whole project, over any sixty minutes.">
            {(props) => <input {...props} {...bind('rateClient')} type="number" min={1} required />}
          </Field>
          <Field label="Server keys, requests an hour" hint="Counted apart from client keys.">
            {(props) => <input {...props} {...bind('rateServer')} type="number" min={1} required />}
          </Field>
          <Field
            label="Retention, days"
            hint="After that, log rows and sightings of devices and inboxes are forgotten."
          >
            {(props) => <input {...props} {...bind('retentionDays')} type="number" min={1} required />}
          </Field>
        </div>
        {save.error !== null && <Notice kind="bad">{save.error.message}</Notice>}
        <div className="flex justify-end">
          <Button look="primary" type="submit" busy={save.isPending} disabled={disabled || !changed}>
            Save the limits
          </Button>
        </div>
      </form>
    </Section>
  );
}

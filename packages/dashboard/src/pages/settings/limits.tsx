import { hasRole, type ProjectView } from '@postern/contract/dashboard';
import {
  type CountField,
  fieldRows,
  OPERATOR_FIELDS,
  PROJECT_FIELDS,
  type ProjectFieldName,
  type ProjectPatch,
} from '@postern/contract/project-fields';
import { useState } from 'react';
import { useSession } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { count } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { SelectField, TextField } from '../../components/text-field.tsx';
import { useAskBeforeLeaving } from '../../components/use-ask-before-leaving.ts';
import { useSaveProject } from './use-save-project.ts';

/** Every number of the project, in the order of the contract's table. */
const COUNT_FIELDS = fieldRows(PROJECT_FIELDS).flatMap(([name, field]): [ProjectFieldName, CountField][] =>
  field.kind === 'count' ? [[name, field]] : [],
);

type Values = Readonly<Record<string, string>>;

/** What the form shows; `limitsKey` changes when the saved values do. */
function valuesOf(project: ProjectView): Values {
  const counts = COUNT_FIELDS.map(([name]) => [name, String(project[name] ?? '')]);
  return { plan: project.plan, ...Object.fromEntries(counts) };
}

export const limitsKey = (project: ProjectView) => JSON.stringify(valuesOf(project));

/** Only what differs, so that the audit log shows what was changed. */
function patchOf(before: Values, after: Values): ProjectPatch {
  const changed = Object.entries(after).filter(([name, text]) => text !== before[name]);
  return Object.fromEntries(
    changed.map(([name, text]) => [name, name === 'plan' ? text : text === '' ? null : Number(text)]),
  );
}

export function Limits({ project, disabled }: { project: ProjectView; disabled: boolean }) {
  const { plans, logRetentionDays, user } = useSession();
  const initial = valuesOf(project);
  const [values, setValues] = useState(initial);
  const save = useSaveProject(project, 'The limits are saved and apply to new requests.');
  const changed = JSON.stringify(values) !== JSON.stringify(initial);
  useAskBeforeLeaving('The form of limits', changed);
  const operator = hasRole(user.role, 'admin');
  const bind = (name: ProjectFieldName) => ({
    disabled: disabled || (!operator && OPERATOR_FIELDS.includes(name)),
    value: values[name] ?? '',
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  const names = plans.map(({ name, quota }) => [name, `${name}: ${count(quota)} a month`] as const);
  const exists = plans.some(({ name }) => name === project.plan);
  /** What holds while the project has no number of its own. */
  const usual: Readonly<Record<string, number | undefined>> = {
    quotaLimit: plans.find(({ name }) => name === values.plan)?.quota,
    logRetentionDays,
  };
  return (
    <Section title="Plan, limits and retention">
      <Form className="grid gap-4" onSubmit={() => save.mutate(patchOf(initial, values))}>
        {!operator && !disabled && (
          <Notice kind="note">
            {OPERATOR_FIELDS.map((name) => PROJECT_FIELDS[name].label).join(', ')}: an admin of all projects
            sets these.
          </Notice>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={PROJECT_FIELDS.plan.label}
            hint={`Used ${count(project.quota.used)} of ${count(project.quota.limit)} this month.`}
            options={exists ? names : [[project.plan, project.plan], ...names]}
            {...bind('plan')}
          />
          {COUNT_FIELDS.map(([name, field]) => (
            <TextField
              key={name}
              label={`${field.label} (${field.unit})`}
              hint={field.help}
              type="number"
              min={field.min}
              max={field.max}
              required={field.default !== null}
              placeholder={String(field.default ?? usual[name] ?? '')}
              {...bind(name)}
            />
          ))}
        </div>
        {save.error !== null && <Notice kind="bad">{save.error.message}</Notice>}
        <div className="flex justify-end">
          <Button variant="primary" type="submit" busy={save.isPending} disabled={disabled || !changed}>
            Save the limits
          </Button>
        </div>
      </Form>
    </Section>
  );
}

import type { ProjectView, RuleView } from '@postern/contract/dashboard';
import { RULE_LIMITS } from '@postern/contract/rules';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ruleCheckQuery, ruleTestQuery } from '../../api/rule-queries.ts';
import { useChange } from '../../api/use-change.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { STEP_UP_LABELS } from '../../components/policy-fields.tsx';
import { TextField } from '../../components/text-field.tsx';
import { TimeMachine } from '../../components/time-machine/time-machine.tsx';
import { AskBeforeLeaving, Clashes } from '../../components/unsaved.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { useSettled } from '../../components/use-settled.ts';
import { History } from '../../icons.ts';
import { ExpressionField } from './expression-field.tsx';
import { draftId, newRule, type RuleDraft, ruleChange, rulesWith } from './rule-draft.ts';
import { RuleTrial } from './rule-trial.tsx';

interface RuleEditorProps {
  project: ProjectView;
  /** Absent for a new one. */
  id?: string;
  /** As it is saved, if it is. */
  rule?: RuleView | undefined;
  start: RuleDraft;
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  name: 'Name',
  when: 'Condition',
  then: 'Answer',
  mode: 'Mode',
  stepUp: 'What the flag asks for',
  note: 'Note',
  message: 'Message',
  ends: 'Ends',
};

const CHECKED_AFTER_MS = 250;
const TRIED_AFTER_MS = 600;

/** Writes a rule: the condition, whom it would have matched, and the other fields. */
export function RuleEditor(props: RuleEditorProps) {
  const { project, id, rule, start } = props;
  const { change: mayChange } = usePermissions();
  const edited = useDraft(start);
  const { values: draft, clashes } = edited;
  const [replaying, setReplaying] = useState(false);
  const set = (part: Partial<RuleDraft>) => edited.set({ ...draft, ...part });
  const { fault, warnings, right } = useCheck(project.id, draft.when);
  const save = useSave(props, draft);
  const missing =
    (clashes.length > 0 && 'Choose yours or theirs first.') ||
    (draft.when.trim() === '' && 'Write a condition first.') ||
    (fault !== null && 'Correct the condition first.') ||
    (draft.name.trim() === '' && 'Give the rule a name first.');
  const ready = right && missing === false;
  const replayedId = id ?? draftId(project.rules);
  const saveText = rule === undefined ? 'Create the rule' : 'Save the rule';
  return (
    <>
      <AskBeforeLeaving changed={edited.changed} text="The rule has changes that are not saved." />
      <Form
        className="grid gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
        onSubmit={() => save.mutate('')}
      >
        <div className="grid min-w-0 content-start gap-5">
          <Section title="When">
            <ExpressionField
              value={draft.when}
              lists={Object.keys(project.namedLists)}
              fault={fault}
              warnings={warnings}
              disabled={!mayChange}
              onChange={(when) => set({ when })}
            />
          </Section>
          <RuleFields draft={draft} disabled={!mayChange} onChange={set} />
          <Clashes draft={edited} label={([name = '']) => FIELD_NAMES[name] ?? name} />
          {save.error !== null && <Notice kind="bad">{save.error.message}</Notice>}
          <div className="flex flex-wrap items-center justify-end gap-2">
            {missing !== false && <p className="text-soft">{missing}</p>}
            <Button disabled={!ready} onClick={() => setReplaying(true)}>
              <History size={15} /> Replay past sign-ups
            </Button>
            {mayChange && (
              <Button variant="primary" type="submit" busy={save.isPending} disabled={!ready}>
                {saveText}
              </Button>
            )}
          </div>
        </div>
        <Beside projectId={project.id} draft={draft} right={right} faulty={fault !== null} />
        {replaying && (
          <TimeMachine
            projectId={project.id}
            edited={{ rules: rulesWith(project.rules, draft, replayedId) }}
            draft={[replayedId, draft.name]}
            lead="What past sign-ups would have been answered with this rule among the others."
            backText="Back to the rule"
            onClose={() => setReplaying(false)}
            save={
              mayChange
                ? { text: saveText, busy: save.isPending, error: save.error, onSave: save.mutate }
                : undefined
            }
          />
        )}
      </Form>
    </>
  );
}

/** What the service says about the condition. While it changes, nothing is said. */
function useCheck(projectId: string, when: string) {
  const settled = useSettled(when, CHECKED_AFTER_MS);
  const empty = settled.trim() === '';
  const { data } = useQuery({ ...ruleCheckQuery(projectId, settled), enabled: !empty });
  const current = settled === when && !empty ? data : undefined;
  const { fault = null, warnings = [] } = current ?? {};
  return { fault, warnings, right: current?.fault === null };
}

function useSave({ project, id, rule, start }: RuleEditorProps, draft: RuleDraft) {
  const navigate = useNavigate();
  const change = ruleChange(start, draft);
  const seen = Object.keys(change).map((name) => [name, Reflect.get(rule ?? {}, name) ?? null]);
  const { id: projectId } = project;
  return useChange({
    send: (reason: string) =>
      rule === undefined
        ? api(
            'POST /projects/:id/rules',
            { id: projectId },
            { body: { ...newRule(draft), ...(id !== undefined && { id }), reason } },
          )
        : api(
            'PATCH /projects/:id/rules/:rule',
            { id: projectId, rule: rule.id },
            { body: { ...change, expected: Object.fromEntries(seen), reason } },
          ),
    inline: true,
    successText:
      draft.mode === 'live'
        ? 'The rule is saved and decides from the next request on.'
        : 'The rule is saved in shadow: it is only counted.',
    onDone: ({ id: ruleId }) => {
      void navigate({
        to: '/projects/$projectId/rules/$rule',
        params: { projectId, rule: ruleId },
        ignoreBlocker: true,
      });
    },
  });
}

interface BesideProps {
  projectId: string;
  draft: RuleDraft;
  right: boolean;
  faulty: boolean;
}

/** Whom the rule would have matched. */
function Beside({ projectId, draft, right, faulty }: BesideProps) {
  const settled = useSettled(draft.when, TRIED_AFTER_MS);
  const trial = useQuery({
    ...ruleTestQuery(projectId, settled),
    enabled: right && settled === draft.when,
    placeholderData: keepPreviousData,
  });
  const empty = draft.when.trim() === '';
  return (
    <div className="grid min-w-0 content-start gap-5">
      <Section title="In the last 30 days">
        {empty || faulty ? (
          <p className="text-soft">
            {empty
              ? 'Write a condition to see whom it would have matched.'
              : 'Correct the mistake to see whom it would have matched.'}
          </p>
        ) : (
          <div aria-busy={trial.isFetching} className={trial.isPlaceholderData ? 'opacity-60' : undefined}>
            <Loaded query={trial} pending={<SkeletonRows rows={4} />}>
              {(data) => <RuleTrial projectId={projectId} trial={data} />}
            </Loaded>
          </div>
        )}
      </Section>
    </div>
  );
}

interface RuleFieldsProps {
  draft: RuleDraft;
  disabled: boolean;
  onChange: (part: Partial<RuleDraft>) => void;
}

const ACTION_LABELS = { allow: 'Allow', flag: 'Flag', block: 'Block' } as const;
const MODE_LABELS = { live: 'Live', shadow: 'Shadow' } as const;
const MODE_HINTS = {
  live: 'From the next request on, it decides if no earlier rule matches.',
  shadow: 'It changes no answer and is only counted. Make it live after a few days.',
} as const;

/** Everything of a rule except its condition. */
function RuleFields({ draft, disabled, onChange }: RuleFieldsProps) {
  const bind = (name: 'name' | 'note' | 'message' | 'ends') => ({
    disabled,
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <Section title="Then">
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Choice
            label="Answer"
            value={draft.then}
            options={ACTION_LABELS}
            coloured
            disabled={disabled}
            onChange={(then) => onChange({ then })}
          />
          <Choice
            label="Mode"
            value={draft.mode}
            options={MODE_LABELS}
            disabled={disabled}
            onChange={(mode) => onChange({ mode })}
            hint={MODE_HINTS[draft.mode]}
          />
        </div>
        {draft.then === 'flag' && (
          <Choice
            label="What the flag asks for"
            value={draft.stepUp}
            options={{ '': 'As the policy says', ...STEP_UP_LABELS }}
            disabled={disabled}
            onChange={(stepUp) => onChange({ stepUp })}
          />
        )}
        <TextField label="Name" required maxLength={RULE_LIMITS.nameLength} {...bind('name')} />
        <TextField
          label="Note (optional)"
          hint="Why the rule exists, for your colleagues."
          maxLength={RULE_LIMITS.noteLength}
          {...bind('note')}
        />
        <TextField
          label="Message (optional)"
          hint="What your form shows the person. Without it, the message gives no reason."
          maxLength={RULE_LIMITS.messageLength}
          {...bind('message')}
        />
        <TextField
          label="Ends (optional)"
          hint="From then on it no longer matches. Your local time."
          type="datetime-local"
          {...bind('ends')}
        />
      </div>
    </Section>
  );
}

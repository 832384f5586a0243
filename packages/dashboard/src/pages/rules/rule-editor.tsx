import type { ProjectView, RuleView } from '@postern/contract/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { changedByRules, ruleCheckQuery, ruleTestQuery } from '../../api/rule-queries.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { TimeMachine } from '../../components/time-machine/time-machine.tsx';
import { useSettled } from '../../components/use-settled.ts';
import { History } from '../../icons.ts';
import { ConditionForm } from './condition-form.tsx';
import { withCondition } from './condition-shapes.ts';
import { ExpressionField } from './expression-field.tsx';
import { draftId, newRule, type RuleDraft, ruleChange, rulesWith } from './rule-draft.ts';
import { RuleFields } from './rule-fields.tsx';
import { RuleTrial } from './rule-trial.tsx';

interface RuleEditorProps {
  project: ProjectView;
  /** Absent for a new one. */
  rule?: RuleView;
  start: RuleDraft;
  mayChange: boolean;
}

const CHECKED_AFTER_MS = 250;
const TRIED_AFTER_MS = 600;

/** Writes a rule: the condition, whom it would have matched, and the other fields. */
export function RuleEditor({ project, rule, start, mayChange }: RuleEditorProps) {
  const [draft, setDraft] = useState(start);
  const [replaying, setReplaying] = useState(false);
  const set = (part: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { fault, warnings, right } = useCheck(project.id, draft.when);
  const save = useSave(project.id, rule, start, draft);
  const ready = right && draft.name.trim() !== '';
  const replayedId = rule?.id ?? draftId(project.rules);
  const saveText = rule === undefined ? 'Create the rule' : 'Save the rule';
  return (
    <Form className="grid gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]" onSubmit={() => save.mutate('')}>
      <div className="grid min-w-0 content-start gap-5">
        <Section title="When">
          <div className="grid gap-4">
            <ExpressionField
              value={draft.when}
              lists={Object.keys(project.namedLists)}
              fault={fault}
              warnings={warnings}
              disabled={!mayChange}
              onChange={(when) => set({ when })}
            />
            {mayChange && (
              <ConditionForm
                joins={draft.when.trim() !== ''}
                onAdd={(join, added, negated) =>
                  set({ when: withCondition(draft.when, join, added, negated) })
                }
              />
            )}
          </div>
        </Section>
        <RuleFields draft={draft} disabled={!mayChange} onChange={set} />
        {save.error !== null && <Notice kind="bad">{save.error.message}</Notice>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={!ready} onClick={() => setReplaying(true)}>
            <History size={15} aria-hidden="true" /> Replay past sign-ups
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
  );
}

/** What the service says about the condition. While it changes, nothing is said. */
function useCheck(projectId: string, when: string) {
  const settled = useSettled(when, CHECKED_AFTER_MS);
  const empty = settled.trim() === '';
  const { data } = useQuery({ ...ruleCheckQuery(projectId, settled), enabled: !empty });
  const current = settled === when && !empty ? data : undefined;
  return {
    fault: current?.fault ?? null,
    warnings: current?.warnings ?? [],
    right: current?.fault === null,
  };
}

function useSave(projectId: string, rule: RuleView | undefined, start: RuleDraft, draft: RuleDraft) {
  const navigate = useNavigate();
  const id = { id: projectId };
  const [saved, setSaved] = useState(false);
  const changed = JSON.stringify(draft) !== JSON.stringify(start) && !saved;
  useBlocker({
    shouldBlockFn: () =>
      changed && !window.confirm('The rule has changes that are not saved. Leave the page?'),
    enableBeforeUnload: () => changed,
  });
  return useChange({
    send: (reason: string) =>
      rule === undefined
        ? api('POST /projects/:id/rules', id, { body: { ...newRule(draft), reason } })
        : api(
            'PATCH /projects/:id/rules/:rule',
            { ...id, rule: rule.id },
            { body: { ...ruleChange(start, draft), reason } },
          ),
    inline: true,
    invalidates: changedByRules(projectId),
    successText:
      draft.mode === 'live'
        ? 'The rule is saved and decides from the next request on.'
        : 'The rule is saved in shadow: it is only counted.',
    onDone: ({ id: ruleId }) => {
      setSaved(true);
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

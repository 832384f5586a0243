import { isAction } from '@postern/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { rulesQuery } from '../../api/rule-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { draftOf, EMPTY_DRAFT, type RuleDraft } from './rule-draft.ts';
import { RuleEditor } from './rule-editor.tsx';

function EditorPage({ title, children }: { title: string; children: ReactNode }) {
  const may = usePermissions();
  return (
    <Page title={title} lead="While you write, you see whom it would have matched.">
      {!may.change && (
        <Notice kind="note">You can try conditions here. An admin or an owner can save them.</Notice>
      )}
      {children}
    </Page>
  );
}

/** A new rule. The address bar can bring a condition, a name and an answer. */
export function NewRulePage() {
  const project = useProject();
  const { when = '', name = '', then = '' } = useSearch({ from: '/app/projects/$projectId/new-rule' });
  const start: RuleDraft = { ...EMPTY_DRAFT, when, name, ...(isAction(then) && { then }) };
  return (
    <EditorPage title="New rule">
      <RuleEditor project={project} start={start} />
    </EditorPage>
  );
}

/** Changes a rule. */
export function EditRulePage() {
  const project = useProject();
  /** As it was last seen: a draft outlives the rule. */
  const last = useRef<RuleDraft>(undefined);
  const { rule: id } = useParams({ from: '/app/projects/$projectId/rules/$rule/edit' });
  const rules = useQuery(rulesQuery(project.id));
  return (
    <EditorPage title="Edit rule">
      <Loaded query={rules} pending={<SkeletonRows rows={8} className="card p-5" />}>
        {(data) => {
          const rule = data.find((each) => each.id === id);
          if (rule !== undefined) last.current = draftOf(rule);
          if (last.current === undefined)
            return (
              <Notice kind="bad">
                There is no rule “{id}” any more.{' '}
                <Link to="/projects/$projectId/rules" params={{ projectId: project.id }} className="link">
                  All rules
                </Link>
              </Notice>
            );
          return (
            <>
              {rule === undefined && (
                <Notice kind="warn">
                  Somebody else deleted this rule. If you save it, it is made again.
                </Notice>
              )}
              <RuleEditor project={project} id={id} rule={rule} start={last.current} />
            </>
          );
        }}
      </Loaded>
    </EditorPage>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { rulesQuery } from '../../api/rule-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Plus, Split } from '../../icons.ts';
import { PresetDialog } from './preset-dialog.tsx';
import { RuleList } from './rule-list.tsx';

/** The project’s rules, in the order in which they are asked. */
export function RulesPage() {
  const project = useProject();
  const may = usePermissions();
  const rules = useQuery(rulesQuery(project.id));
  const [choosing, setChoosing] = useState(false);
  const actions = may.change && (
    <>
      <Button onClick={() => setChoosing(true)}>Ready-made rules…</Button>
      <Link
        to="/projects/$projectId/new-rule"
        params={{ projectId: project.id }}
        className={buttonClass('primary')}
      >
        <Plus size={16} aria-hidden="true" /> New rule
      </Link>
    </>
  );
  return (
    <Page
      title="Rules"
      lead="Conditions that you write. The first live rule that matches decides, after the project’s allow and block lists and instead of the checks."
      actions={actions}
    >
      {!may.change && (
        <Notice kind="note">You can read the rules. An admin or an owner can change them.</Notice>
      )}
      <Loaded query={rules} pending={<SkeletonRows rows={6} className="card p-5" />}>
        {(data) =>
          data.length === 0 ? (
            <div className="card">
              <EmptyState icon={Split} title="No rules yet">
                A rule knows what no check can know: that your trial is abused from one network, or that a
                partner’s people must always get in. While you write one, you see whom it would have matched.
              </EmptyState>
            </div>
          ) : (
            <RuleList projectId={project.id} rules={data} mayChange={may.change} />
          )
        }
      </Loaded>
      {choosing && (
        <PresetDialog projectId={project.id} rules={rules.data ?? []} onClose={() => setChoosing(false)} />
      )}
    </Page>
  );
}

import type { ProjectView } from '@postern/contract/dashboard';
import type { ProjectPolicy } from '@postern/contract/project-fields';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { plural } from '../../components/format.ts';
import { MessageFields } from '../../components/message-fields.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { changesIn, policyPatch } from '../../components/policy-change.ts';
import { ActionFields, RuleFields } from '../../components/policy-fields.tsx';
import { TimeMachine } from '../../components/time-machine/time-machine.tsx';
import { useAskBeforeLeaving } from '../../components/use-ask-before-leaving.ts';
import { History } from '../../icons.ts';
import { withTried } from './tried-change.ts';
import { VendorAccount } from './vendor-account.tsx';

export function PolicyPage() {
  const project = useProject();
  // When the policy was saved, here or elsewhere, start a new draft.
  return <PolicyEditor key={JSON.stringify(project.policy)} project={project} />;
}

function PolicyEditor({ project }: { project: ProjectView }) {
  const may = usePermissions();
  const search = useSearch({ from: '/app/projects/$projectId/policy' });
  const suggested = withTried(project.policy, search.try);
  const [draft, setDraft] = useState<ProjectPolicy>(suggested);
  const [reviewing, setReviewing] = useState(policyPatch(project.policy, suggested) !== undefined);
  const patch = policyPatch(project.policy, draft);
  const changes = changesIn(patch);
  const save = useChange({
    send: (reason: string) =>
      api(
        'PATCH /projects/:id',
        { id: project.id },
        { body: { policy: patch, expected: { policy: policyPatch(draft, project.policy) }, reason } },
      ),
    invalidates: [['projects'], ['policy-history']],
    successText: 'The policy is saved and applies to new requests.',
    inline: true,
    onDone: () => setReviewing(false),
  });
  useAskBeforeLeaving('The policy', changes > 0);
  return (
    <Page
      title="Checks"
      lead="Which checks run, and what happens when one fails. Before you save, you see what the change would have done to past sign-ups."
    >
      {!may.change && (
        <Notice kind="note">You can read the policy. An admin or an owner can change it.</Notice>
      )}
      <Section
        title="Checks"
        lead="The strongest action among the failed checks is the recommendation. With “Allow”, a failure is only logged and reported as a signal."
      >
        <ActionFields policy={draft} onChange={setDraft} disabled={!may.change} />
      </Section>
      <Section title="Thresholds and exceptions">
        <RuleFields
          policy={draft}
          onChange={setDraft}
          disabled={!may.change}
          vendor={<VendorAccount projectId={project.id} mayChange={may.change} />}
        />
      </Section>
      <Section title="Messages" lead="What people read when an address is flagged or blocked.">
        <MessageFields policy={draft} onChange={setDraft} disabled={!may.change} />
      </Section>
      {changes > 0 && (
        <div className="sticky bottom-3 z-10 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line-strong bg-surface px-4 py-3 shadow-pop">
          <p>{plural(changes, 'change')} not saved yet</p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setDraft(project.policy)}>Discard</Button>
            <Button variant="primary" onClick={() => setReviewing(true)}>
              <History size={15} aria-hidden="true" /> See what would change
            </Button>
          </div>
        </div>
      )}
      {reviewing && patch !== undefined && (
        <TimeMachine
          projectId={project.id}
          edited={{ policy: patch }}
          days={search.days}
          lead="What this policy would have answered to past sign-ups."
          backText="Back to the policy"
          onClose={() => setReviewing(false)}
          save={
            may.change
              ? {
                  text: 'Save the policy',
                  busy: save.isPending,
                  error: save.error,
                  onSave: save.mutate,
                }
              : undefined
          }
        />
      )}
    </Page>
  );
}

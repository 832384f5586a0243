import type { RuleProposalsView, RuleProposalView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryOf } from '../../api/query-of.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { count, percent } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { TimeMachine } from '../../components/time-machine/time-machine.tsx';
import { History } from '../../icons.ts';

export const proposalsQuery = (id: string) => queryOf('GET /projects/:id/rule-proposals', { id });

/** Rules that the outcomes support. Each opens in the time machine, and can be created in shadow from there. */
export function Proposals({ projectId }: { projectId: string }) {
  const [tried, setTried] = useState<RuleProposalView>();
  const found = useQuery(proposalsQuery(projectId));
  return (
    <Section
      title="Proposed rules"
      lead="Conditions that single out bad people: found on the older 70% of people with a known outcome, and confirmed on the newer 30%."
    >
      <Loaded query={found} pending={<Skeleton className="h-20" />}>
        {(data) =>
          data.proposals.length === 0 ? (
            <p className="text-soft">{noneText(data)}</p>
          ) : (
            <ul aria-label="Proposed rules" className="grid gap-3">
              {data.proposals.map((proposal) => (
                <li
                  key={proposal.when}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line px-4 py-3"
                >
                  <div className="grid min-w-0 flex-1 basis-72 gap-1">
                    <code className="font-mono text-[0.8667rem] wrap-anywhere">{proposal.when}</code>
                    <p className="num text-[0.9rem] text-soft">{textOf(proposal, data)}</p>
                  </div>
                  <Button small variant="primary" onClick={() => setTried(proposal)}>
                    <History size={15} /> Try it in the time machine
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {tried !== undefined && (
        <TryProposal projectId={projectId} proposal={tried} onClose={() => setTried(undefined)} />
      )}
    </Section>
  );
}

function textOf({ newer, bad, good }: RuleProposalView, totals: RuleProposalsView): string {
  return `Of the newer people it hits, ${count(newer.bad)} of ${count(newer.people)} are bad, which means at least ${percent(newer.low, 1)}; of all newer people, ${percent(totals.baseRate ?? 0, 1)} are. In total it hits ${count(bad)} of ${count(totals.bad)} bad and ${count(good)} of ${count(totals.good)} good people.`;
}

const TOO_FEW_BELOW = 50;

function noneText({ known, baseRate }: RuleProposalsView): string {
  if (known < TOO_FEW_BELOW)
    return `None yet: only ${count(known)} people with a known outcome are still in the log, which is too few.`;
  if ((baseRate ?? 0) >= 0.5)
    return 'None: half of the people with a known outcome are bad. Report good ones too, so that a rule can be told from the average.';
  return 'None: no condition was confirmed on newer people without hitting good ones.';
}

interface TryProposalProps {
  projectId: string;
  proposal: RuleProposalView;
  onClose: () => void;
}

/** Replays the log with the proposal as a blocking rule, asked last. From here it can be created in shadow. */
function TryProposal({ projectId, proposal: { when }, onClose }: TryProposalProps) {
  const may = usePermissions();
  const { rules } = useProject();
  const draftId = `proposed_${rules.length + 1}`;
  const rule = { name: `Proposed: ${when}`.slice(0, 100), when, then: 'block' } as const;
  const create = useChange({
    inline: true,
    send: (reason: string) =>
      api(
        'POST /projects/:id/rules',
        { id: projectId },
        { body: { ...rule, mode: 'shadow', reason: reason || 'Proposed from outcomes.' } },
      ),
    successText: 'The rule is created in shadow. It changes no answer until you make it live.',
    onDone: onClose,
  });
  return (
    <TimeMachine
      projectId={projectId}
      edited={{ rules: [...rules, { ...rule, id: draftId, mode: 'live' }] }}
      draft={[draftId, 'The proposed rule']}
      lead={`What past sign-ups would have been answered with a rule that blocks when ${when}.`}
      backText="Close"
      onClose={onClose}
      save={
        may.change
          ? {
              text: 'Create it in shadow',
              busy: create.isPending,
              error: create.error,
              onSave: create.mutate,
            }
          : undefined
      }
    />
  );
}

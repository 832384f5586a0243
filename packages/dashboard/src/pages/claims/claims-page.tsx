import type { ClaimsView, ClaimView } from '@postern/contract/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { pagesOf } from '../../api/query-of.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import type { Layer } from '../../components/charts/stacked-bars.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, ShowMore, SkeletonRows } from '../../components/pending.tsx';
import { ActionsHead, AgoCell, Cell, Table } from '../../components/table.tsx';
import { TextField } from '../../components/text-field.tsx';
import { UserRound } from '../../icons.ts';

const HEAD = ['Person', 'Claim', 'Answer', 'When', <ActionsHead key="actions" />];

/** What each person gets once, such as a trial: who has it, who was refused and why. */
export function ClaimsPage() {
  const project = useProject();
  const may = usePermissions();
  const [releasing, setReleasing] = useState<ClaimView | undefined>();
  const claims = useInfiniteQuery(pagesOf('GET /projects/:id/claims', 'before', { id: project.id }));
  return (
    <Page
      title="Claims"
      lead="What each person gets once, such as a trial, also after they delete the account."
    >
      <Loaded query={claims} pending={<SkeletonRows rows={6} className="card p-5" />}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          if (rows.length === 0)
            return (
              <div className="card">
                <EmptyState icon={UserRound} title="No claims yet">
                  Ask for one with POST /v1/claims, or postern.claim('trial', …) in the Node SDK.
                </EmptyState>
              </div>
            );
          return (
            <>
              {pages[0] !== undefined && <LastDays {...pages[0]} />}
              <Section title="Claims" flush>
                <Table label="Claims" head={HEAD}>
                  {rows.map((row) => (
                    <tr key={row.id}>
                      <Cell className="wrap-anywhere">{row.address}</Cell>
                      <Cell>{row.claim}</Cell>
                      <Cell>
                        {row.granted ? (
                          <Badge>{row.releasedAt === null ? 'granted' : 'released'}</Badge>
                        ) : (
                          <Badge tone="block">refused: {row.because.join(', ')}</Badge>
                        )}
                      </Cell>
                      <AgoCell at={row.at} />
                      <Cell>
                        {may.change && row.granted && row.releasedAt === null && (
                          <Button small onClick={() => setReleasing(row)}>
                            Release
                          </Button>
                        )}
                      </Cell>
                    </tr>
                  ))}
                </Table>
              </Section>
              <ShowMore query={claims}>Show more</ShowMore>
            </>
          );
        }}
      </Loaded>
      {releasing !== undefined && (
        <ReleaseClaim projectId={project.id} claim={releasing} onClose={() => setReleasing(undefined)} />
      )}
    </Page>
  );
}

const LAYERS: readonly Layer<ClaimsView['days'][number] & { partial: boolean }>[] = [
  { name: 'Granted', fill: 'var(--color-allow-fill)', value: (row) => row.granted },
  { name: 'Refused', fill: 'var(--color-block-fill)', value: (row) => row.refused },
];
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const nameOf = ({ at }: { at: number }) => day.format(at);

function LastDays({ summary, days }: ClaimsView) {
  return (
    <ChartFrame
      title="The last 30 days"
      lead={summary.map(({ claim, granted, refused, refusedGood, refusedBad }) => (
        <span key={claim} className="block">
          <strong>{claim}</strong>: {granted} granted, {refused} refused. Of the people who were refused,{' '}
          {refusedGood} came back as good customers and {refusedBad} are known to be bad.
        </span>
      ))}
      label="Claims that were granted and refused on each day"
      rows={days.map((row, index) => ({ ...row, partial: index === days.length - 1 }))}
      layers={LAYERS}
      height={130}
      nameOf={nameOf}
      shortNameOf={nameOf}
    />
  );
}

interface ReleaseProps {
  projectId: string;
  claim: ClaimView;
  onClose: () => void;
}

function ReleaseClaim({ projectId, claim, onClose }: ReleaseProps) {
  const [reason, setReason] = useState('');
  const release = useChange({
    inline: true,
    send: () =>
      api(
        'POST /projects/:id/claims/:claimId/release',
        { id: projectId, claimId: claim.id },
        { body: reason.trim() === '' ? {} : { reason: reason.trim() } },
      ),
    successText: 'The claim is released.',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Release “${claim.claim}” of ${claim.address}?`}
      action="Release the claim"
      change={release}
      onClose={onClose}
    >
      <p>The person, and whoever shares a device or a card with them, can claim it again.</p>
      <TextField label="Reason (optional)" maxLength={200} value={reason} onChange={setReason} />
    </FormDialog>
  );
}

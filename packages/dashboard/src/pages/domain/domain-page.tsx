import type { DomainView } from '@postern/contract/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { domainQuery } from '../../api/place-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { ShareChart } from '../../components/charts/share-chart.tsx';
import { MarkWrongButton } from '../../components/judgement.tsx';
import type { ListTarget } from '../../components/list-dialog.tsx';
import { ListDialog } from '../../components/list-dialog.tsx';
import { providerWarning } from '../../components/list-effect.ts';
import { ListEntries } from '../../components/list-entries.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { RangeChoice } from '../../components/range-choice.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { RecentValidations } from '../validations/recent-validations.tsx';
import { DomainFindings } from './domain-findings.tsx';

/** Everything about one domain: what the checks say, how often it came, and what can be done about it. */
export function DomainPage() {
  const project = useProject();
  const { domain } = useParams({ from: '/app/projects/$projectId/domains/$domain' });
  const range = useSearch({ from: '/app/projects/$projectId/domains/$domain' });
  const navigate = useNavigate();
  const view = useQuery({ ...domainQuery(project.id, domain, range), placeholderData: keepPreviousData });
  const readable = view.data?.readable ?? domain;
  const params = { projectId: project.id, domain };
  return (
    <Page
      title={readable}
      lead={`What the checks say, and what this project saw.${readable === domain ? '' : ` In DNS the domain is ${domain}.`}`}
      actions={<DomainActions projectId={project.id} domain={domain} view={view.data} />}
    >
      <RangeChoice
        range={range}
        onChange={(search) =>
          void navigate({ to: '/projects/$projectId/domains/$domain', params, search, replace: true })
        }
      />
      <Loaded query={view} pending={<SkeletonRows rows={10} className="card p-5" />}>
        {(data) => (
          <>
            <ShareChart
              figures={data.figures}
              estimate="There were too many domains to count each one, so these counts are estimates. The log has every row."
              onPick={({ at, until }) =>
                void navigate({
                  to: '/projects/$projectId/validations',
                  params: { projectId: project.id },
                  search: { domain, mode: 'live', from: at, to: until },
                })
              }
            />
            <DomainFindings projectId={project.id} domain={domain} />
            <ListEntries projectId={project.id} listed={data.listed} named />
            <RecentValidations
              projectId={project.id}
              rows={data.validations}
              more={data.more}
              search={{ domain, mode: 'live', from: data.figures.from, to: data.figures.to }}
              range={range}
            />
            <Timeline projectId={project.id} subject={domain} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface DomainActionsProps {
  projectId: string;
  domain: string;
  view: DomainView | undefined;
}

function DomainActions({ projectId, domain, view }: DomainActionsProps) {
  const [target, setTarget] = useState<ListTarget | undefined>();
  const may = usePermissions();
  if (!may.decide) return null;
  const ask = (list: ListTarget['list']) =>
    setTarget({
      list,
      what: 'domain',
      value: domain,
      ...(view?.mailProvider === true && { warning: providerWarning(domain) }),
    });
  return (
    <>
      <Button onClick={() => ask('allowList')}>Always allow…</Button>
      <Button onClick={() => ask('blockList')}>Block…</Button>
      <MarkWrongButton projectId={projectId} rows={view?.validations ?? []} />
      {target !== undefined && (
        <ListDialog projectId={projectId} target={target} onClose={() => setTarget(undefined)} />
      )}
    </>
  );
}

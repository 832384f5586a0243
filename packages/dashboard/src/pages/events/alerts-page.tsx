import { WEBHOOK_EVENTS, type WebhookEvent } from '@postern/contract';
import type { EventsView } from '@postern/contract/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  Bell,
  DatabaseZap,
  Flag,
  Gauge,
  Globe,
  KeyRound,
  ListChecks,
  type LucideIcon,
  OctagonX,
  Send,
  Siren,
  TrendingDown,
} from 'lucide-react';
import { eventsQuery } from '../../api/outcome-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Ago } from '../../components/time.tsx';
import { readSurge } from './surge.ts';
import { SurgeSources } from './surge-sources.tsx';

const ICONS: Record<WebhookEvent, LucideIcon> = {
  'validation.flagged': Flag,
  'validation.blocked': OctagonX,
  'review.decided': ListChecks,
  'quota.reached': Gauge,
  'surge.detected': Siren,
  'rule.gone_bad': TrendingDown,
  'key.rotation_due': KeyRound,
  'feed.stale': DatabaseZap,
  'dns.offline': Globe,
  'test.ping': Send,
};

export function AlertsPage() {
  const project = useProject();
  const events = useInfiniteQuery(eventsQuery(project.id));
  const rows = events.data?.pages.flatMap((page) => page.rows);
  return (
    <Page
      title="Alerts"
      lead="Surges, quotas, old keys and stale data in this project, and the decisions of members."
    >
      <div className="card min-w-0">
        <Loaded query={{ ...events, data: rows }} pending={<SkeletonRows rows={8} className="p-5" />}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState
                icon={Bell}
                title="No alerts"
                action={
                  <Link
                    to="/projects/$projectId/webhooks"
                    params={{ projectId: project.id }}
                    className={buttonClass('primary')}
                  >
                    Get alerts by webhook or mail
                  </Link>
                }
              >
                Postern compares each hour with the same hour of earlier weeks. When far more sign-ups than
                usual are blocked or flagged, come from one domain or network, or have the same pattern of
                names, you see it here with its sources, and can block them for a day with one click. A quota
                that runs out, keys that are due for rotation and stale data are listed here too.
              </EmptyState>
            ) : (
              <ol className="divide-y divide-line">
                {all.map((row) => (
                  <Alert key={row.id} projectId={project.id} row={row} />
                ))}
              </ol>
            )
          }
        </Loaded>
        {events.hasNextPage && (
          <div className="flex justify-center border-t border-line p-3">
            <Button busy={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
              Show older
            </Button>
          </div>
        )}
      </div>
    </Page>
  );
}

function Alert({ projectId, row }: { projectId: string; row: EventsView['rows'][number] }) {
  const may = usePermissions();
  const Icon = ICONS[row.type];
  const surge = row.type === 'surge.detected' ? readSurge(row.data) : undefined;
  return (
    <li className="flex min-w-0 gap-3.5 px-4 py-3.5 sm:px-5">
      <span
        className={`mt-0.5 grid size-8 shrink-0 place-items-center rounded-lg ${surge === undefined ? 'bg-hover text-soft' : 'bg-block-soft text-block'}`}
      >
        <Icon size={16} aria-hidden="true" />
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <p className={surge === undefined ? 'wrap-anywhere' : 'font-medium wrap-anywhere'}>
            {typeof row.data.message === 'string'
              ? row.data.message
              : WEBHOOK_EVENTS[row.type].when.replaceAll('`', '')}
          </p>
          <span className="text-[0.8667rem] text-soft">
            <Ago at={row.at} />
          </span>
        </div>
        {surge !== undefined && <SurgeSources projectId={projectId} surge={surge} mayChange={may.decide} />}
      </div>
    </li>
  );
}

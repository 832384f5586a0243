import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS, type WebhookEvent } from '@postern/contract';
import type { EventsView } from '@postern/contract/dashboard';
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { eventsQuery } from '../../api/outcome-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { buttonClass } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import type { Icon } from '../../components/create-icon.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, ShowMore, SkeletonRows } from '../../components/pending.tsx';
import { Ago } from '../../components/time.tsx';
import {
  Bell,
  DatabaseZap,
  Flag,
  Gauge,
  Globe,
  KeyRound,
  ListChecks,
  OctagonX,
  Send,
  Siren,
  TrendingDown,
} from '../../icons.ts';

const ICONS: Record<WebhookEvent, Icon> = {
  'validation.flagged': Flag,
  'validation.blocked': OctagonX,
  'review.decided': ListChecks,
  'quota.reached': Gauge,
  'campaign.detected': Siren,
  'rule.gone_bad': TrendingDown,
  'claim.refused': OctagonX,
  'step_up.mail_stopped': OctagonX,
  'step_up.vendor_failed': OctagonX,
  'key.rotation_due': KeyRound,
  'feed.stale': DatabaseZap,
  'dns.offline': Globe,
  'test.ping': Send,
};

/** Everything that is not in one of the other lists, or a campaign, or a validation. */
const ALERTS = WEBHOOK_EVENT_NAMES.filter((name) => !/^(validation\.|review\.|test\.|campaign\.)/.test(name));

const LISTS = {
  alerts: {
    types: ALERTS.join(','),
    none: 'A quota that runs out, keys that are due for rotation, rules that hit the wrong people and stale data are listed here.',
  },
  decisions: {
    types: 'review.decided',
    none: 'What members decide about sign-ups is listed here.',
  },
  tests: { types: 'test.ping', none: 'Tests of webhooks are listed here.' },
} as const;
type List = keyof typeof LISTS;
const OPTIONS: Readonly<Record<List, string>> = { alerts: 'Alerts', decisions: 'Decisions', tests: 'Tests' };

export function AlertsPage() {
  const project = useProject();
  const [list, setList] = useState<List>('alerts');
  const events = useInfiniteQuery(eventsQuery(project.id, LISTS[list].types));
  return (
    <Page
      title="Alerts"
      lead="What needs attention besides campaigns."
      actions={
        <Link to="/projects/$projectId/webhooks" params={{ projectId: project.id }} className={buttonClass()}>
          Get alerts by webhook or mail
        </Link>
      }
    >
      <Section
        title="Events"
        actions={<Choice label="Events" hideLabel value={list} options={OPTIONS} onChange={setList} />}
        flush
      >
        <Paged
          query={events}
          rows={events.data?.pages.flatMap((page) => page.rows)}
          none={
            <EmptyState icon={Bell} title={`No ${list}`}>
              {LISTS[list].none}
            </EmptyState>
          }
        >
          {(row) => <Event key={row.id} row={row} />}
        </Paged>
      </Section>
    </Page>
  );
}

interface PagedProps<Row> {
  query: Pick<
    UseInfiniteQueryResult,
    'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  rows: readonly Row[] | undefined;
  none: ReactNode;
  children: (row: Row) => ReactNode;
}

function Paged<Row>({ query, rows, none, children }: PagedProps<Row>) {
  return (
    <>
      <Loaded query={{ ...query, data: rows }} pending={<SkeletonRows rows={4} className="p-5" />}>
        {(all) => (all.length === 0 ? none : <ol className="divide-y divide-line">{all.map(children)}</ol>)}
      </Loaded>
      <ShowMore query={query} />
    </>
  );
}

function Event({ row }: { row: EventsView['rows'][number] }) {
  const Icon = ICONS[row.type];
  return (
    <li className="flex min-w-0 gap-3.5 px-4 py-3 sm:px-5">
      <span className="mt-0.5 grid size-8 shrink-0 place-items-center rounded-lg bg-hover text-soft">
        <Icon size={16} />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
        <p className="wrap-anywhere">
          {typeof row.data.message === 'string'
            ? row.data.message
            : WEBHOOK_EVENTS[row.type].when.replaceAll('`', '')}
        </p>
        <span className="text-[0.8667rem] text-soft">
          <Ago at={row.at} />
        </span>
      </div>
    </li>
  );
}

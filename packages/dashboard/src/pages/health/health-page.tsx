import type { HealthView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { absoluteTime, count } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { AgoCell, Cell, Table } from '../../components/table.tsx';
import { CircleCheck, CircleX, TriangleAlert } from '../../icons.ts';

const PARTS: Readonly<Record<string, { title: string; about: string }>> = {
  store: { title: 'Store', about: 'Projects, keys, counters and the log.' },
  dns: { title: 'DNS', about: 'Can the resolver find well-known mail domains?' },
  domains: { title: 'Domain data', about: 'Throwaway domains, relays and providers.' },
  networks: { title: 'Network data', about: 'Tor, VPN, proxy and hosting ranges.' },
  resources: { title: 'Resources', about: 'Open files and DNS sockets of this process.' },
  clock: { title: 'Clock', about: 'May expired data be deleted by it?' },
  feeds: { title: 'Feeds', about: 'Is the data refreshed on schedule?' },
};

function partText(name: string): { title: string; about: string } {
  return PARTS[name] ?? { title: name, about: '' };
}

/** A fact as short text. Nested data is not shown here; the health endpoint has it. */
function factText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) {
    return value.every((each) => typeof each !== 'object') ? value.join(', ') : '';
  }
  if (typeof value === 'object') {
    return Object.entries(value)
      .filter(([, each]) => typeof each !== 'object')
      .map(([name, each]) => `${name} ${String(each)}`)
      .join(', ');
  }
  // No count in a health report is this large, so it must be a time.
  if (typeof value === 'number' && value > 1e12) return absoluteTime(value);
  return String(value);
}

/** `lastCheckedAt` as a person writes it. */
function factName(name: string): string {
  return name
    .replace(/At$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

const OVERALL = {
  ready: { kind: 'good', text: 'Everything works.' },
  degraded: {
    kind: 'warn',
    text: 'The service works, but some parts have problems or are out of date. See below what to do.',
  },
  unavailable: { kind: 'bad', text: 'The service cannot answer validations now. See below what is down.' },
} as const;

export function HealthPage() {
  const health = useQuery(healthQuery);
  return (
    <Page title="Health" lead="The state of the store, of DNS and of the data.">
      <Loaded
        query={health}
        pending={
          <div className="grid gap-4" role="status" aria-label="Loading">
            <Skeleton className="h-12" />
            <Skeleton className="h-44" />
            <Skeleton className="h-64" />
          </div>
        }
      >
        {(view) => <HealthBody view={view} />}
      </Loaded>
    </Page>
  );
}

function HealthBody({ view }: { view: HealthView }) {
  const overall = OVERALL[view.status];
  return (
    <>
      <Notice kind={overall.kind}>
        {overall.text} <span className="text-soft">Postern {view.version}</span>
      </Notice>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        {view.parts.map((part) => (
          <Part key={part.name} part={part} />
        ))}
      </div>
      <Section title="Data feeds" flush>
        <Feeds feeds={view.feeds} />
      </Section>
    </>
  );
}

const STATUS = {
  ok: { Icon: CircleCheck, colour: 'text-allow', tone: 'allow' },
  degraded: { Icon: TriangleAlert, colour: 'text-flag', tone: 'flag' },
  down: { Icon: CircleX, colour: 'text-block', tone: 'block' },
} as const;

function Part({ part }: { part: HealthView['parts'][number] }) {
  const { Icon, colour, tone } = STATUS[part.status];
  const { title, about } = partText(part.name);
  const facts = Object.entries(part.facts).filter(([, value]) => factText(value) !== '');
  return (
    <section aria-label={title} className="card p-4">
      <h2 className="flex items-center gap-2 font-semibold">
        <Icon size={18} className={colour} />
        {title}
        <span className="ml-auto">
          <Badge tone={tone}>{part.status}</Badge>
        </span>
      </h2>
      <p className="mt-1 text-[0.9rem] text-soft">{part.message ?? about}</p>
      {facts.length > 0 && (
        <dl className="mt-2.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-[0.8667rem]">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-faint">{factName(name)}</dt>
              <dd className="num wrap-anywhere">{factText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Feeds({ feeds }: { feeds: HealthView['feeds'] }) {
  if (feeds.length === 0) {
    return (
      <p className="px-5 pb-5 text-soft">
        Feeds are off: the service uses the data it was built with. Set{' '}
        <code className="font-mono">POSTERN_FEEDS</code> to keep it fresh.
      </p>
    );
  }
  return (
    <Table label="Data feeds" head={['Feed', 'List', 'Entries', 'Refreshed', 'State']}>
      {feeds.map((feed) => (
        <tr key={feed.name}>
          <Cell className="font-medium">{feed.name}</Cell>
          <Cell className="text-soft">{feed.list}</Cell>
          <Cell className="num">{count(feed.entries)}</Cell>
          <AgoCell at={feed.fetchedAt} />
          <Cell>
            {feed.error !== null ? (
              <span className="text-block">{feed.error}</span>
            ) : (
              <Badge tone={feed.stale ? 'flag' : 'allow'}>{feed.stale ? 'stale' : 'fresh'}</Badge>
            )}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

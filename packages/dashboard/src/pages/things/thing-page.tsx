import { CHECK_NAMES } from '@postern/contract';
import type {
  DomainChecks,
  ListedEntry,
  ShareFigures,
  ThingView,
  ValidationRow,
} from '@postern/contract/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { TIME_ZONE } from '../../api/client.ts';
import { domainChecksQuery, thingQuery } from '../../api/place-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Badge, RecommendationBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { barName, bucketNames } from '../../components/charts/bucket-names.ts';
import { Change } from '../../components/charts/change.tsx';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import type { Layer } from '../../components/charts/stacked-bars.tsx';
import { Choice } from '../../components/choice.tsx';
import { DOMAIN_CLASS_NAMES } from '../../components/domain-class-names.ts';
import { count, dayOf, percent, plural } from '../../components/format.ts';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { RangeChoice } from '../../components/range-choice.tsx';
import { ActionsHead, AgoCell, Cell, Table } from '../../components/table.tsx';
import type { TimeRange } from '../../components/time-range.ts';
import { Timeline } from '../../components/timeline.tsx';
import { useListChange } from '../../components/use-list-change.ts';
import { CheckExplained } from '../validations/check-explained.tsx';
import { byImportance } from '../validations/check-texts.ts';
import type { Filters } from '../validations/filters.ts';
import { RowActions } from '../validations/row-actions.tsx';
import { WhyText } from '../validations/why.tsx';
import { LinkedTable } from './linked-table.tsx';
import { mailHosts } from './mail-hosts.ts';
import { KINDS, kindOf } from './read-things.ts';
import { ThingActions } from './thing-actions.tsx';
import { ThingFacts } from './thing-facts.tsx';

const LEADS: Readonly<Record<ThingView['kind'], string>> = {
  person: 'One person: an inbox under every spelling. The address itself is not kept.',
  device: 'One device, which is kept as a keyed hash.',
  domain: 'One domain.',
  mailHost: 'One mail host, and the domains whose mail it takes.',
  network: 'One range of addresses, as the log shows it.',
  asn: 'All networks of one operator.',
};

const ESTIMATES = {
  statistics: 'There were too many to count each one, so these counts are estimates.',
  log: 'Only the newest rows of the log were counted, so the first bars may be missing.',
} as const;

/** Everything about one thing: what is known, whom it is linked with, what can be done about it. */
export function ThingPage() {
  const project = useProject();
  const { days, from, to, ...of } = useSearch({ from: '/app/projects/$projectId/thing' });
  const range: TimeRange = {
    ...(days && { days }),
    ...(from !== undefined && to !== undefined && { from, to }),
  };
  const navigate = useNavigate();
  const kind = kindOf(of);
  const view = useQuery({ ...thingQuery(project.id, of, range), placeholderData: keepPreviousData });
  const shown = view.data?.kind === kind ? view.data : undefined;
  return (
    <Page
      title={shown?.title ?? (kind === 'person' ? 'Person' : (of[kind] ?? 'Nothing'))}
      lead={`${LEADS[kind]}${shown?.kind === 'domain' && shown.title !== shown.name ? ` In DNS it is ${shown.name}.` : ''}`}
      actions={shown && <ThingActions key={shown.entry} projectId={project.id} view={shown} />}
    >
      <RangeChoice
        range={range}
        onChange={(next) =>
          void navigate({
            to: '/projects/$projectId/thing',
            params: { projectId: project.id },
            search: { ...of, ...next },
            replace: true,
          })
        }
      />
      <Loaded query={view} pending={<SkeletonRows rows={10} className="card p-5" />}>
        {(data) => <Body projectId={project.id} view={data} range={range} />}
      </Loaded>
    </Page>
  );
}

interface BodyProps {
  projectId: string;
  view: ThingView;
  range: TimeRange;
}

function Body({ projectId, view, range }: BodyProps) {
  const navigate = useNavigate();
  const { from, to } = view.figures;
  const always = view.kind === 'person' || view.kind === 'device';
  const search: Filters = { ...logFilter(view), ...(!always && { mode: 'live', from, to }) };
  return (
    <>
      <ThingFacts projectId={projectId} view={view} range={range} />
      <ShareChart
        figures={view.figures}
        estimate={ESTIMATES[view.counted]}
        onPick={({ at, until }) =>
          void navigate({
            to: '/projects/$projectId/validations',
            params: { projectId },
            search: { ...logFilter(view), mode: 'live', from: at, to: until },
          })
        }
      />
      <Linked key={view.entry} projectId={projectId} view={view} range={range} />
      {view.kind === 'domain' && <DomainFindings projectId={projectId} domain={view.name} />}
      <ListEntries projectId={projectId} listed={view.listed} />
      <RecentValidations
        projectId={projectId}
        rows={view.validations}
        more={view.more}
        search={search}
        range={range}
      />
      <Timeline projectId={projectId} subject={view.entry} />
    </>
  );
}

/** What the log is filtered by to show the same. It has no filter for mail hosts, so their domains stand for them. */
function logFilter({ kind, name, linked }: ThingView): Filters {
  if (kind !== 'mailHost') return { [KINDS[kind].filter]: name };
  const domains = linked.find((each) => each.kind === 'domain')?.rows ?? [];
  return { domain: domains.map((row) => row.name).join(',') };
}

/** What came together with it. */
function Linked({ projectId, view, range }: BodyProps) {
  const linked = view.linked.filter(({ rows }) => rows.length > 0);
  const [chosen, setChosen] = useState(linked[0]?.kind);
  const [first] = linked;
  if (first === undefined) return null;
  const shown = linked.find(({ kind }) => kind === chosen) ?? first;
  return (
    <Section
      title="Linked with it"
      lead={
        view.since === null
          ? 'As far as the log goes back, with live keys.'
          : `Since ${dayOf(view.since)}: the newest 100,000 sign-ups of the project.`
      }
      flush
      actions={
        <Choice
          label="What is linked"
          hideLabel
          value={shown.kind}
          options={Object.fromEntries(
            linked.map(({ kind, rows, more }) => [
              kind,
              `${KINDS[kind].many} ${count(rows.length)}${more ? '+' : ''}`,
            ]),
          )}
          onChange={setChosen}
        />
      }
    >
      <LinkedTable projectId={projectId} kind={shown.kind} rows={shown.rows} range={range} />
    </Section>
  );
}

type Bar = ShareFigures['series'][number];

const LAYERS: readonly Layer<Bar>[] = [
  {
    name: 'Allowed',
    fill: 'var(--color-allow-fill)',
    value: (row) => row.count - row.flagged - row.blocked,
  },
  { name: 'Flagged', fill: 'var(--color-flag-fill)', value: (row) => row.flagged },
  { name: 'Blocked', fill: 'var(--color-block-fill)', value: (row) => row.blocked },
];

interface ShareChartProps {
  figures: ShareFigures;
  /** Said when the figures are estimates. */
  estimate: string;
  onPick: (bar: Bar) => void;
}

/** The validations of one domain or network over time, and how many of them were flagged and blocked. */
function ShareChart({ figures, estimate, onPick }: ShareChartProps) {
  const { series, previous, from, to, bucketMs } = figures;
  return (
    <ChartFrame
      title="Validations over time"
      lead={
        <>
          {plural(figures.count, 'validation')}, {count(figures.flagged)} flagged and {count(figures.blocked)}{' '}
          blocked ({percent(figures.blocked, figures.count)}).{' '}
          {previous.count > 0 && (
            <>
              <Change now={figures.count} before={previous.count} /> vs. previous period.{' '}
            </>
          )}
          Live keys, times in {TIME_ZONE.replaceAll('_', ' ')}. A pale bar is not a whole {barName(bucketMs)}.
          {!figures.exact && ` ${estimate}`}
        </>
      }
      label={`${plural(figures.count, 'validation')}, ${figures.flagged} flagged and ${figures.blocked} blocked, over time`}
      rows={series}
      layers={LAYERS}
      height={190}
      {...bucketNames(bucketMs, to - from)}
      onPick={onPick}
    />
  );
}

/** What the checks find about the domain at this moment. It is loaded apart, because it can wait for DNS. */
function DomainFindings({ projectId, domain }: { projectId: string; domain: string }) {
  const checks = useQuery(domainChecksQuery(projectId, domain));
  return (
    <Section title="What the checks say now" lead="Without the project’s own lists.">
      <Loaded query={checks} pending={<SkeletonRows rows={5} />}>
        {(data) => <Findings data={data} />}
      </Loaded>
    </Section>
  );
}

function Findings({ data }: { data: DomainChecks }) {
  const { policy } = useProject();
  const results = CHECK_NAMES.flatMap((name) => {
    const result = data.checks[name];
    return result === undefined ? [] : [{ name, result }];
  }).sort((one, other) => byImportance(one.result, other.result));
  const facts: [string, ReactNode][] = [
    ['Type', DOMAIN_CLASS_NAMES[data.domainClass]],
    ['Listed as disposable', listedText(data)],
    ['Mail hosts', mailHosts(data.checks.mx)],
  ];
  return (
    <div className="grid gap-4">
      <dl className="grid gap-x-5 sm:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)] sm:gap-y-1.5 text-[0.9333rem]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="wrap-anywhere max-sm:mb-2">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-2">
        {results.map(({ name, result }) => (
          <CheckExplained key={name} name={name} result={result} action={policy.actions[name]} />
        ))}
      </div>
    </div>
  );
}

function listedText({ listedBy, sources, checks }: DomainChecks): string {
  if (listedBy.length > 0) {
    const names = listedBy.map(({ name, date }) => `${name} (${date})`).join(', ');
    return `by ${listedBy.length} of ${sources} sources: ${names}`;
  }
  return checks.disposable?.pass === false
    ? `by none of ${sources} sources; its mail hosts or its name gave it away`
    : `by none of ${sources} sources`;
}

const LISTED_HEAD = ['List', 'Entry', 'Note', 'Until', <ActionsHead key="actions" />];

interface ListEntriesProps {
  projectId: string;
  listed: readonly ListedEntry[];
}

/** The entries of the project’s lists that a page is about. Nothing if there are none. */
function ListEntries({ projectId, listed }: ListEntriesProps) {
  const change = useListChange(projectId);
  const may = usePermissions();
  if (listed.length === 0) return null;
  return (
    <Section title="On the project’s lists" flush>
      <Table label="On the project’s lists" head={LISTED_HEAD} flows>
        {listed.map(({ list, entry }) => (
          <tr key={`${list} ${entry.value}`}>
            <Cell>
              <Badge tone={list === 'allowList' ? 'allow' : 'block'}>
                {list === 'allowList' ? 'always allowed' : 'always blocked'}
              </Badge>
            </Cell>
            <Cell className="font-mono text-[0.8667rem] wrap-anywhere">{entry.value}</Cell>
            <Cell className="text-soft wrap-anywhere">{entry.note ?? ''}</Cell>
            <AgoCell at={entry.expiresAt} none="no end" />
            <Cell className="text-right">
              {may.decide && (
                <Button
                  small
                  busy={change.isPending}
                  onClick={() =>
                    change.mutate({
                      changes: [{ list, remove: entry.value }],
                      successText: 'The entry is removed.',
                    })
                  }
                >
                  Remove
                </Button>
              )}
            </Cell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

interface RecentValidationsProps {
  projectId: string;
  rows: readonly ValidationRow[];
  /** Whether the log has more of them. */
  more: boolean;
  /** What the log is filtered by when a row is opened there. */
  search: Filters;
  range: TimeRange;
}

/** The newest validations of a person, a domain or a network. Each opens its explanation in the log; closing that leads back. */
function RecentValidations({ projectId, rows, more, search, range }: RecentValidationsProps) {
  return (
    <Section
      title="Validations"
      flush
      actions={
        <Link to="/projects/$projectId/validations" params={{ projectId }} search={search} className="link">
          {more ? 'Show all in the log' : 'Show in the log'}
        </Link>
      }
    >
      {rows.length === 0 ? (
        <p className="px-5 pb-5 text-soft">The log has no validations of this time.</p>
      ) : (
        <Table
          label="Validations"
          head={['Address', 'Answer', 'Why', 'When', <ActionsHead key="actions" />]}
          flows
        >
          {rows.map((row) => (
            <tr key={row.id}>
              <Cell className="wrap-anywhere">
                <Link
                  to="/projects/$projectId/validations"
                  params={{ projectId }}
                  search={{ ...search, open: row.id }}
                  state={{ openedHere: true }}
                  className="font-medium hover:text-accent hover:underline"
                >
                  {row.maskedAddress}
                </Link>
              </Cell>
              <Cell>
                <RecommendationBadge value={row.recommendation} />
              </Cell>
              <Cell className="text-soft">
                <WhyText row={row} />
              </Cell>
              <AgoCell at={row.at} narrow />
              <Cell className="text-right">
                <RowActions projectId={projectId} row={row} range={range} />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

import type { RingsView, RingView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ringsQuery } from '../../api/ring-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { count, plural } from '../../components/format.ts';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Cell, NarrowName, Table } from '../../components/table.tsx';
import { Ago, Moment } from '../../components/time.tsx';
import { Waypoints } from '../../icons.ts';

/** Groups of people who belong together. */
export function RingsPage() {
  const project = useProject();
  const rings = useQuery(ringsQuery(project.id));
  return (
    <Page
      title="Rings"
      lead="People of the last 30 days who belong together: they share devices, or a network together with a domain, a pattern of names and time. What many unrelated people have in common links nobody."
    >
      <Loaded query={rings} pending={<SkeletonRows rows={6} className="card p-5" />}>
        {(view) => <RingList projectId={project.id} view={view} />}
      </Loaded>
    </Page>
  );
}

function RingList({ projectId, view }: { projectId: string; view: RingsView }) {
  const compared = (
    <p className="text-[0.8667rem] text-faint">
      {plural(view.people, 'person was', 'people were')} compared, seen since <Moment at={view.from} />
      {view.partial && '; the log is longer, and older people were not looked at'}.
    </p>
  );
  if (view.rings.length === 0)
    return (
      <>
        <EmptyState icon={Waypoints} title="No ring">
          A ring appears here when at least five people belong together.
        </EmptyState>
        {compared}
      </>
    );
  return (
    <>
      <Section
        title={plural(view.total, 'ring')}
        lead={
          view.total > view.rings.length ? `The largest ${view.rings.length} are listed.` : 'Largest first.'
        }
        flush
      >
        <Table
          label="Rings"
          head={['Ring', 'People', 'Devices', 'Networks', 'Known', 'Answers', 'First seen', 'Last seen']}
          flows
        >
          {view.rings.map((ring) => (
            <RingRow key={ring.id} projectId={projectId} ring={ring} />
          ))}
        </Table>
      </Section>
      {compared}
    </>
  );
}

function RingRow({ projectId, ring }: { projectId: string; ring: RingView }) {
  const others = ring.domainCount - ring.domains.length;
  return (
    <tr>
      <Cell className="wrap-anywhere">
        <Link
          to="/projects/$projectId/rings/$hash"
          params={{ projectId, hash: ring.id }}
          className="link font-medium"
        >
          {ring.domains.join(', ')}
          {others > 0 && ` and ${plural(others, 'more domain')}`}
        </Link>
      </Cell>
      <Cell className="num">
        {count(ring.people)}
        <span className="md:hidden"> people</span>
      </Cell>
      <Cell className="num">
        {count(ring.devices)}
        <span className="md:hidden"> {ring.devices === 1 ? 'device' : 'devices'}</span>
      </Cell>
      <Cell className="num">
        {count(ring.networks)}
        <span className="md:hidden"> {ring.networks === 1 ? 'network' : 'networks'}</span>
      </Cell>
      <Cell className="num whitespace-nowrap">{knownText(ring)}</Cell>
      <Cell className="num whitespace-nowrap text-soft">{answersText(ring)}</Cell>
      <Cell className="text-soft">
        <NarrowName>first</NarrowName>
        <Ago at={ring.firstSeen} narrow />
      </Cell>
      <Cell className="text-soft">
        <NarrowName>last</NarrowName>
        <Ago at={ring.lastSeen} narrow />
      </Cell>
    </tr>
  );
}

export function knownText({ bad, good }: Pick<RingView, 'bad' | 'good'>): string {
  if (bad + good === 0) return 'nothing known';
  return [...(bad > 0 ? [`${count(bad)} bad`] : []), ...(good > 0 ? [`${count(good)} good`] : [])].join(', ');
}

export function answersText({ answers }: Pick<RingView, 'answers'>): string {
  const texts = (['block', 'flag', 'allow'] as const)
    .filter((answer) => answers[answer] > 0)
    .map((answer) => `${count(answers[answer])} ${answer}`);
  return texts.join(', ');
}

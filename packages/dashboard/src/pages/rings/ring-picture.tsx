import type { RingDetail } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { useWidth } from '../../components/charts/use-width.ts';
import { count, plural } from '../../components/format.ts';
import { hasPage } from '../../components/place-links.tsx';
import { AtSign, MonitorSmartphone, Network } from '../../icons/index.js';
import { layOutRing, type RingNode } from './ring-graph.ts';

const FILLS = {
  allow: 'var(--color-allow-fill)',
  flag: 'var(--color-flag-fill)',
  block: 'var(--color-block-fill)',
} as const;

/** Devices left, domains and networks right, as links; people in between as dots. The table below has everybody. */
export function RingPicture({ projectId, ring }: { projectId: string; ring: RingDetail }) {
  const [ref, width] = useWidth(320);
  const graph = layOutRing(ring, width);
  const label = `${plural(ring.people, 'person', 'people')} with ${plural(ring.devices, 'device')}, ${plural(ring.domainCount, 'domain')} and ${plural(ring.networks, 'network')}`;
  return (
    <div>
      <div className="grid grid-cols-[minmax(0,4fr)_minmax(0,7fr)_minmax(0,5fr)]">
        <Side title="Devices" nodes={graph.left} projectId={projectId} height={graph.height} />
        <div>
          <p className="h-8 text-center text-[0.8333rem] font-medium text-soft">People</p>
          <div ref={ref}>
            <svg role="img" aria-label={label} width={width} height={graph.height} className="block">
              {graph.lines.map(({ key, dot, x, y }) => (
                <path
                  key={key}
                  d={`M${x} ${y} C${(x + dot.x) / 2} ${y} ${(x + dot.x) / 2} ${dot.y} ${dot.x} ${dot.y}`}
                  fill="none"
                  stroke="var(--color-line-strong)"
                  strokeOpacity="0.55"
                />
              ))}
              {graph.dots.map(({ member, x, y }) => (
                <circle
                  key={member.inbox}
                  cx={x}
                  cy={y}
                  r="4.5"
                  fill={FILLS[member.answer]}
                  stroke="var(--color-surface)"
                />
              ))}
            </svg>
          </div>
        </div>
        <Side title="Domains and networks" nodes={graph.right} projectId={projectId} height={graph.height} />
      </div>
      <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-[0.8667rem] text-soft">
        {(['block', 'flag', 'allow'] as const)
          .filter((answer) => ring.answers[answer] > 0)
          .map((answer) => (
            <span key={answer} className="inline-flex items-center gap-1.5">
              <svg width="10" height="10" aria-hidden="true">
                <circle cx="5" cy="5" r="4.5" fill={FILLS[answer]} />
              </svg>
              {count(ring.answers[answer])} last answered {answer}
            </span>
          ))}
        {(graph.hidden.people > 0 || graph.hidden.things > 0) && (
          <span className="text-faint">
            Not drawn: {plural(graph.hidden.people, 'person', 'people')} and{' '}
            {plural(graph.hidden.things, 'other thing')}.
          </span>
        )}
      </p>
    </div>
  );
}

interface SideProps {
  title: string;
  nodes: readonly RingNode[];
  projectId: string;
  height: number;
}

const BOX =
  'flex min-h-9 w-full min-w-0 items-center gap-1.5 rounded-lg border border-line bg-surface px-1.5 py-0.5 text-[0.8rem] sm:px-2 sm:text-[0.8667rem]';

function Side({ title, nodes, projectId, height }: SideProps) {
  return (
    <div className="min-w-0">
      <p className="h-8 truncate text-[0.8333rem] font-medium text-soft">{title}</p>
      <ul className="flex flex-col" style={{ height }}>
        {nodes.map((node) => (
          <li key={`${node.kind} ${node.thing.name}`} className="flex min-w-0 flex-1 items-center">
            <NodeBox node={node} projectId={projectId} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const ICONS = { device: MonitorSmartphone, domain: AtSign, network: Network } as const;

function NodeBox({ node: { kind, thing }, projectId }: { node: RingNode; projectId: string }) {
  const Icon = ICONS[kind];
  const content = (
    <>
      <Icon size={14} aria-hidden="true" className="hidden shrink-0 text-soft sm:block" />
      <span className="truncate">{kind === 'device' ? `${thing.name.slice(0, 8)}…` : thing.name}</span>
      <span className="num ml-auto text-[0.8rem] text-faint">{count(thing.people)}</span>
    </>
  );
  const className = `${BOX} hover:border-accent`;
  if (kind === 'device')
    return (
      <Link
        to="/projects/$projectId/sharing"
        params={{ projectId }}
        search={{ device: thing.name }}
        className={className}
      >
        {content}
      </Link>
    );
  if (kind === 'network')
    return (
      <Link
        to="/projects/$projectId/network"
        params={{ projectId }}
        search={{ network: thing.name }}
        className={className}
      >
        {content}
      </Link>
    );
  if (!hasPage(thing.name)) return <span className={BOX}>{content}</span>;
  return (
    <Link
      to="/projects/$projectId/domains/$domain"
      params={{ projectId, domain: thing.name }}
      className={className}
    >
      {content}
    </Link>
  );
}

import type { SharingView } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { plural } from '../../components/format.ts';
import { Inbox, MonitorSmartphone } from '../../icons.ts';
import { type GraphNode, layOut } from './sharing-graph.ts';

interface SharingPictureProps {
  projectId: string;
  view: SharingView;
}

/** Devices left, inboxes right. A thicker line means more sightings. Each node links to its own page. */
export function SharingPicture({ projectId, view }: SharingPictureProps) {
  const graph = layOut(view);
  const most = Math.max(1, ...graph.edges.map((edge) => edge.count));
  return (
    <div>
      <div className="grid grid-cols-[minmax(0,5fr)_minmax(2.5rem,4fr)_minmax(0,6fr)]">
        <Side
          title="Devices"
          nodes={graph.devices}
          projectId={projectId}
          focus={view.hash}
          height={graph.height}
        />
        <svg
          role="img"
          aria-label={`${plural(graph.devices.length, 'device')} and ${plural(graph.inboxes.length, 'inbox', 'inboxes')}, ${plural(graph.edges.length, 'connection')}`}
          viewBox={`0 0 100 ${graph.height}`}
          preserveAspectRatio="none"
          className="mt-8 block w-full"
          height={graph.height}
        >
          {graph.edges.map(({ from, to, count }) => (
            <path
              key={`${from.hash}-${to.hash}`}
              d={`M0 ${from.y} C50 ${from.y} 50 ${to.y} 100 ${to.y}`}
              fill="none"
              stroke={
                from.hash === view.hash || to.hash === view.hash
                  ? 'var(--color-accent)'
                  : 'var(--color-line-strong)'
              }
              strokeWidth={1.25 + 3 * (count / most)}
              strokeOpacity="0.75"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        <Side
          title="Inboxes"
          nodes={graph.inboxes}
          projectId={projectId}
          focus={view.hash}
          height={graph.height}
        />
      </div>
      {graph.left > 0 && (
        <p className="mt-3 text-[0.8667rem] text-faint">
          {plural(graph.left, 'more one', 'more')} not drawn; the table below has all.
        </p>
      )}
    </div>
  );
}

interface SideProps {
  title: string;
  nodes: readonly GraphNode[];
  projectId: string;
  focus: string;
  height: number;
}

function Side({ title, nodes, projectId, focus, height }: SideProps) {
  return (
    <div>
      <p className="h-8 text-[0.8333rem] font-medium text-soft">{title}</p>
      <ul className="flex flex-col" style={{ height }}>
        {nodes.map((node) => {
          const Icon = node.kind === 'device' ? MonitorSmartphone : Inbox;
          return (
            <li key={node.hash} className="flex flex-1 items-center">
              <Link
                to="/projects/$projectId/sharing"
                params={{ projectId }}
                search={node.kind === 'device' ? { device: node.hash } : { inbox: node.hash }}
                className={clsx(
                  'flex h-9 w-full min-w-0 items-center gap-2 rounded-lg border px-2 text-[0.8667rem] hover:border-accent',
                  node.hash === focus ? 'border-accent bg-accent-soft font-medium' : 'border-line bg-surface',
                )}
              >
                <Icon size={15} aria-hidden="true" className="shrink-0 text-soft" />
                <span className="truncate">{node.name}</span>
                <span className="num ml-auto text-[0.8rem] text-faint">{node.sightings}×</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

import type { SharingView } from '@postern/contract/dashboard';

export interface GraphNode {
  readonly kind: 'device' | 'inbox';
  readonly hash: string;
  readonly y: number;
  readonly name: string;
  readonly sightings: number;
}

export interface SharingGraph {
  readonly devices: readonly GraphNode[];
  readonly inboxes: readonly GraphNode[];
  readonly edges: readonly { readonly from: GraphNode; readonly to: GraphNode; readonly count: number }[];
  readonly height: number;
  /** How many nodes are not shown. */
  readonly left: number;
}

export const ROW = 44;
/** Few enough that a laptop’s window shows all of the picture. */
const MAX_NODES = 8;

/**
 * Devices on one side, inboxes on the other. The one that the page is about comes first, then the busiest. A line
 * connects a device and an inbox that were seen together.
 */
export function layOut({ hash: asked, sightings, recent }: SharingView): SharingGraph {
  const names = new Map(recent.map((row) => [row.inbox, row.maskedAddress]));
  const side = (kind: 'device' | 'inbox') => {
    const counts = new Map<string, number>();
    for (const each of sightings) counts.set(each[kind], (counts.get(each[kind]) ?? 0) + each.count);
    const rank = ([hash, count]: [string, number]) => (hash === asked ? Number.POSITIVE_INFINITY : count);
    return [...counts].sort((a, b) => (rank(b) === rank(a) ? 0 : rank(b) - rank(a)));
  };
  const sides = { device: side('device'), inbox: side('inbox') };
  const rows = Math.min(MAX_NODES, Math.max(sides.device.length, sides.inbox.length, 1));
  const height = rows * ROW;
  const place = (kind: 'device' | 'inbox'): GraphNode[] => {
    const shown = sides[kind].slice(0, MAX_NODES);
    const step = height / Math.max(shown.length, 1);
    return shown.map(([hash, count], index) => ({
      kind,
      hash,
      y: step * (index + 0.5),
      name: (kind === 'inbox' ? names.get(hash) : undefined) ?? `${hash.slice(0, 10)}…`,
      sightings: count,
    }));
  };
  const devices = place('device');
  const inboxes = place('inbox');
  const edges = sightings.flatMap(({ device, inbox, count }) => {
    const from = devices.find(({ hash }) => hash === device);
    const to = inboxes.find(({ hash }) => hash === inbox);
    return from === undefined || to === undefined ? [] : [{ from, to, count }];
  });
  const all = sides.device.length + sides.inbox.length;
  return { devices, inboxes, edges, height, left: all - devices.length - inboxes.length };
}

import type { RingDetail, RingMemberView, RingThingView } from '@postern/contract/dashboard';

export interface RingNode {
  readonly kind: 'device' | 'domain' | 'network';
  readonly thing: RingThingView;
  /** The middle of its row. */
  readonly y: number;
}
interface RingDot {
  readonly member: RingMemberView;
  readonly x: number;
  readonly y: number;
}
export interface RingGraph {
  readonly left: readonly RingNode[];
  readonly right: readonly RingNode[];
  readonly dots: readonly RingDot[];
  /** From a person to a device at the left edge, or to a domain or network at the right edge. */
  readonly lines: readonly {
    readonly key: string;
    readonly dot: RingDot;
    readonly x: number;
    readonly y: number;
  }[];
  readonly height: number;
  /** What is not drawn. */
  readonly hidden: { readonly people: number; readonly things: number };
}

const NODE_HEIGHT = 44;
const MAX_DEVICES = 14;
const MAX_DOMAINS = 9;
const MAX_NETWORKS = 5;
const MAX_DOTS = 240;
const DOT_SPACE = 15;
/** Room for the lines on both sides of the dots, as a share of the width. */
const MARGIN = 0.28;

/** Devices left, people in the middle, domains and networks right. People with the same device are beside each other. */
export function layOutRing(ring: RingDetail, width: number): RingGraph {
  const devices = ring.allDevices.filter(({ isCommon }) => !isCommon).slice(0, MAX_DEVICES);
  const domains = ring.allDomains.slice(0, MAX_DOMAINS);
  const networks = ring.allNetworks.slice(0, MAX_NETWORKS);
  const members = inOrderOf(devices, ring.members).slice(0, MAX_DOTS);
  const space = width * (1 - 2 * MARGIN);
  const inRow = Math.max(3, Math.floor(space / DOT_SPACE));
  const rows = Math.ceil(members.length / inRow);
  const height = Math.max(devices.length, domains.length + networks.length, 1) * NODE_HEIGHT;
  const fullHeight = Math.max(height, rows * DOT_SPACE);
  const place = (kind: RingNode['kind'], things: readonly RingThingView[], first: number, of: number) =>
    things.map((thing, index): RingNode => ({ kind, thing, y: (fullHeight / of) * (first + index + 0.5) }));
  const atRight = domains.length + networks.length;
  const left = place('device', devices, 0, devices.length);
  const right = [
    ...place('domain', domains, 0, atRight),
    ...place('network', networks, domains.length, atRight),
  ];
  const step = space / inRow;
  const top = (fullHeight - rows * DOT_SPACE) / 2;
  const dots = members.map(
    (member, index): RingDot => ({
      member,
      x: width * MARGIN + ((index % inRow) + 0.5) * step,
      y: top + (Math.floor(index / inRow) + 0.5) * DOT_SPACE,
    }),
  );
  const has = ({ kind, thing }: RingNode, { devices: used, networks: seen, domain }: RingMemberView) =>
    kind === 'device'
      ? used.includes(thing.name)
      : kind === 'network'
        ? seen.includes(thing.name)
        : domain === thing.name;
  const linesTo = (nodes: readonly RingNode[], x: number) =>
    dots.flatMap((dot) =>
      nodes
        .filter((node) => has(node, dot.member))
        .map(({ kind, thing, y }) => ({ key: `${kind} ${thing.name} ${dot.member.inbox}`, dot, x, y })),
    );
  return {
    left,
    right,
    dots,
    lines: [...linesTo(left, 0), ...linesTo(right, width)],
    height: fullHeight,
    hidden: {
      people: ring.people - dots.length,
      things: ring.devices + ring.domainCount + ring.networks - left.length - right.length,
    },
  };
}

function inOrderOf(devices: readonly RingThingView[], members: readonly RingMemberView[]): RingMemberView[] {
  const places = new Map(devices.map(({ name }, index) => [name, index]));
  const placeOf = ({ devices: used }: RingMemberView) =>
    Math.min(...used.map((device) => places.get(device) ?? devices.length), devices.length);
  return [...members].sort((one, other) => placeOf(one) - placeOf(other));
}

import type { DeviceHistory, History } from '../../model/history.ts';
import { deviceHistory, type InboxEntry, isBlocked, type NetworkEntry, ownInbox } from '../device-memory.ts';
import { recommendationOf } from '../log-words.ts';
import type { Connection } from './connection.ts';
import { type DeviceEntry, deviceForgetting, deviceOverflow, deviceTable } from './device-table.ts';

/** What one validation adds to a project’s history. */
export interface Sighting {
  readonly projectId: string;
  readonly inbox: string;
  readonly spelling: string;
  readonly device: string | null;
  readonly network: string | null;
  readonly threshold: number;
  readonly commonNetworks: number;
  /** See `LogRecord`; says whether the answer is `block`. */
  readonly recommendations: string;
  readonly now: number;
  /** Entries last seen before this time are dropped. */
  readonly cutoff: number;
  /** `false` for a test key: history is read, nothing is added. */
  readonly keep: boolean;
}

/** A device with more inboxes or networks than this gets overflow rows for them. */
const MAX_LISTED = 24;

/**
 * The history of a batch’s devices, read together and judged in order. Their rows are written together when the batch
 * ends, except for devices with overflow rows, which are written at once.
 */
export function deviceRows(connection: Connection) {
  const table = deviceTable(connection);
  const overflow = deviceOverflow(connection);
  const forget = deviceForgetting(connection);
  let changed: DeviceEntry[] = [];

  const moveOut = (known: DeviceEntry, inboxes: InboxEntry[], networks: NetworkEntry[]) => {
    overflow.moveOut(known.project, known.device, inboxes, networks);
    known.inboxList = null;
    known.networkList = null;
    table.save([known]);
  };

  const seeListed = (
    sighting: Sighting,
    inboxReused: boolean,
    known: DeviceEntry,
    lists: Lists,
  ): DeviceHistory => {
    const { inbox, network, now, cutoff } = sighting;
    const inboxes = lists.inboxes.filter((entry) => entry[2] >= cutoff);
    const networks = lists.networks.filter((entry) => entry[1] >= cutoff);
    const own = inboxes.find((entry) => entry[0] === inbox);
    const ownNetwork = networks.find((entry) => entry[0] === network);
    const memory = {
      inboxes: inboxes.length,
      blocked: inboxes.filter(isBlocked).length,
      networks: networks.length,
      firstSeen: inboxes.length === 0 ? null : Math.min(...inboxes.map((entry) => entry[1])),
      lastSeen: inboxes.length === 0 ? null : Math.max(...inboxes.map((entry) => entry[2])),
      ownInbox: ownInbox(inboxes, inbox),
      knowsNetwork: ownNetwork !== undefined,
    };
    const history = deviceHistory(memory, sighting);
    if (!sighting.keep) return history;
    const blocked = isAnsweredBlock(sighting, { device: history, inboxReused });
    if (own) {
      own[2] = Math.max(own[2], now);
      own[3] += 1;
      if (own.length > 4 && !blocked) own.length = 4;
    } else inboxes.push(blocked ? [inbox, now, now, 1, 1] : [inbox, now, now, 1]);
    if (ownNetwork) ownNetwork[1] = Math.max(ownNetwork[1], now);
    else if (network !== null) networks.push([network, now]);
    note(known, {
      inboxes: inboxes.length,
      blocked: inboxes.filter(isBlocked).length,
      networks: networks.length,
      firstSeen: Math.min(now, memory.firstSeen ?? now),
      lastSeen: Math.max(now, memory.lastSeen ?? now),
      oldestSeen: oldestOf(known.oldestSeen, inboxes, networks, cutoff),
    });
    known.inboxList = inboxes;
    known.networkList = networks;
    changed.push(known);
    if (inboxes.length > MAX_LISTED || networks.length > MAX_LISTED) moveOut(known, inboxes, networks);
    return history;
  };

  const seeOverflow = (sighting: Sighting, inboxReused: boolean, known: DeviceEntry): DeviceHistory => {
    const { inbox, network, now } = sighting;
    const { project, device, inboxes, blocked, networks, firstSeen, lastSeen } = known;
    const own = overflow.ownInbox(project, device, inbox);
    const knowsNetwork = network !== null && overflow.hasNetwork(project, device, network);
    const memory = { inboxes, blocked, networks, firstSeen, lastSeen, ownInbox: own, knowsNetwork };
    const history = deviceHistory(memory, sighting);
    if (sighting.keep) {
      const isBlock = isAnsweredBlock(sighting, { device: history, inboxReused });
      overflow.keepInbox(project, device, isBlock ? [inbox, now, now, 1, 1] : [inbox, now, now, 1]);
      if (network !== null) overflow.keepNetwork(project, device, [network, now]);
      note(known, {
        inboxes: inboxes + (own === 'new' ? 1 : 0),
        blocked: blocked + (own === 'new' && isBlock ? 1 : 0) - (own === 'blocked' && !isBlock ? 1 : 0),
        networks: networks + (network === null || knowsNetwork ? 0 : 1),
        firstSeen: Math.min(firstSeen, now),
        lastSeen: Math.max(lastSeen, now),
        oldestSeen: Math.min(known.oldestSeen ?? now, now),
      });
      table.save([known]);
    }
    return history;
  };

  /** Drops expired entries of a device with overflow rows. Its own row is updated, or deleted if nothing is left. */
  const forgetOld = (known: DeviceEntry, cutoff: number) => {
    if (known.inboxList !== null || known.oldestSeen === null || known.oldestSeen >= cutoff) return;
    forget(known.project, known.device, cutoff);
    Object.assign(known, table.rows.read(known.project, known.device));
  };

  return {
    load: table.rows.load,
    see(sighting: Sighting, device: string, inboxReused: boolean): DeviceHistory {
      const known = table.rows.get(sighting.projectId, device);
      forgetOld(known, sighting.cutoff);
      const { inboxList, networkList } = known;
      return inboxList && networkList
        ? seeListed(sighting, inboxReused, known, { inboxes: inboxList, networks: networkList })
        : seeOverflow(sighting, inboxReused, known);
    },
    save(): void {
      table.save(changed);
      changed = [];
    },
    clear(): void {
      changed = [];
    },
  };
}

/** Whether the request is answered `block`. Its inbox then counts as blocked, not as signed up. */
function isAnsweredBlock({ recommendations }: Sighting, history: History): boolean {
  return recommendationOf(recommendations, history) === 'block';
}

interface Lists {
  readonly inboxes: readonly InboxEntry[];
  readonly networks: readonly NetworkEntry[];
}

function note(
  known: DeviceEntry,
  sight: Pick<DeviceEntry, 'inboxes' | 'blocked' | 'networks' | 'firstSeen' | 'lastSeen' | 'oldestSeen'>,
): void {
  if (known.oldestSeen === null) known.unsaved = 'row';
  else if (sight.oldestSeen !== known.oldestSeen && known.unsaved !== 'row') known.unsaved = 'age';
  else known.unsaved ??= 'sighting';
  Object.assign(known, sight);
}

/** Keeps the stored lower bound as long as it is valid, so that its index is not written with every request. */
function oldestOf(
  before: number | null,
  inboxes: readonly InboxEntry[],
  networks: readonly NetworkEntry[],
  cutoff: number,
): number {
  const exact = Math.min(...inboxes.map((entry) => entry[2]), ...networks.map((entry) => entry[1]));
  return before !== null && before >= cutoff ? Math.min(before, exact) : exact;
}

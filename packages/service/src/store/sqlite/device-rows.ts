import type { DeviceHistory, History } from '../../model/history.ts';
import { deviceHistory } from '../device-memory.ts';
import { recommendationOf } from '../log-record.ts';
import type { Connection } from './connection.ts';
import { deviceForgetting } from './device-forgetting.ts';
import { type InboxEntry, isBlocked, type NetworkEntry, ownInbox } from './device-lists.ts';
import { rowsApart } from './device-overflow.ts';
import { deviceTable, type KnownDevice } from './device-table.ts';
import type { Sighting } from './sighting.ts';

/** A device with more inboxes or networks than this gets rows of their own for them. */
const LISTED_IN_ROW = 24;

/**
 * What the devices of a batch brought before, read together and judged in order. Their rows are written
 * together when the batch ends, except for those with rows apart, which are always up to date.
 */
export function deviceRows(connection: Connection) {
  const table = deviceTable(connection);
  const apart = rowsApart(connection);
  const forget = deviceForgetting(connection);
  let changed: KnownDevice[] = [];

  const moveOut = (known: KnownDevice, inboxes: InboxEntry[], networks: NetworkEntry[]) => {
    apart.moveOut(known.project, known.device, inboxes, networks);
    known.inboxList = null;
    known.networkList = null;
    table.save([known]);
  };

  const seeListed = (
    sighting: Sighting,
    inboxReused: boolean,
    known: KnownDevice,
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
      if (!blocked) own.length = 4;
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
    if (inboxes.length > LISTED_IN_ROW || networks.length > LISTED_IN_ROW) moveOut(known, inboxes, networks);
    return history;
  };

  const seeApart = (sighting: Sighting, inboxReused: boolean, known: KnownDevice): DeviceHistory => {
    const { inbox, network, now } = sighting;
    const { project, device, inboxes, blocked, networks, firstSeen, lastSeen } = known;
    const own = apart.ownInbox(project, device, inbox);
    const knowsNetwork = network !== null && apart.hasNetwork(project, device, network);
    const memory = { inboxes, blocked, networks, firstSeen, lastSeen, ownInbox: own, knowsNetwork };
    const history = deviceHistory(memory, sighting);
    if (sighting.keep) {
      const isBlock = isAnsweredBlock(sighting, { device: history, inboxReused });
      apart.keepInbox(project, device, isBlock ? [inbox, now, now, 1, 1] : [inbox, now, now, 1]);
      if (network !== null) apart.keepNetwork(project, device, [network, now]);
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

  /** Drops what is too old of a device with rows apart; its row changes with that, or goes. */
  const forgetOld = (known: KnownDevice, cutoff: number) => {
    if (known.inboxList !== null || known.oldestSeen === null || known.oldestSeen >= cutoff) return;
    forget(known.project, known.device, cutoff);
    Object.assign(known, table.rows.find(known.project, known.device));
  };

  return {
    load: table.rows.load,
    see(sighting: Sighting, device: string, inboxReused: boolean): DeviceHistory {
      const known = table.rows.rowOf(sighting.projectId, device);
      forgetOld(known, sighting.cutoff);
      const { inboxList, networkList } = known;
      return inboxList && networkList
        ? seeListed(sighting, inboxReused, known, { inboxes: inboxList, networks: networkList })
        : seeApart(sighting, inboxReused, known);
    },
    save(): void {
      table.save(changed);
      changed = [];
    },
    forget(): void {
      table.rows.forget();
      changed = [];
    },
  };
}

/** Whether the request is answered `block`. Its inbox then counts as turned away, not as signed up. */
function isAnsweredBlock({ outcomes }: Sighting, history: History): boolean {
  return recommendationOf(outcomes, history) === 'block';
}

interface Lists {
  readonly inboxes: readonly InboxEntry[];
  readonly networks: readonly NetworkEntry[];
}

function note(
  known: KnownDevice,
  sight: Pick<KnownDevice, 'inboxes' | 'blocked' | 'networks' | 'firstSeen' | 'lastSeen' | 'oldestSeen'>,
): void {
  if (known.oldestSeen === null) known.unsaved = 'row';
  else if (sight.oldestSeen !== known.oldestSeen && known.unsaved !== 'row') known.unsaved = 'age';
  else known.unsaved ??= 'sight';
  Object.assign(known, sight);
}

/** A bound that still holds is left alone, so that its index is not written with every request. */
function oldestOf(
  before: number | null,
  inboxes: readonly InboxEntry[],
  networks: readonly NetworkEntry[],
  cutoff: number,
): number {
  const exact = Math.min(...inboxes.map((entry) => entry[2]), ...networks.map((entry) => entry[1]));
  return before !== null && before >= cutoff ? Math.min(before, exact) : exact;
}

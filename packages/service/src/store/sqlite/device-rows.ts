import type { DeviceHistory } from '../../model/history.ts';
import { deviceHistory } from '../device-memory.ts';
import type { SeenSpelling } from '../inbox-memory.ts';
import { recommendationOf } from '../log-words.ts';
import type { Connection } from './connection.ts';
import { addSighting, listsSince, memoryOf } from './device-lists.ts';
import { type DeviceEntry, deviceTable } from './device-table.ts';

/** What one validation adds to a project’s history. */
export interface Sighting extends SeenSpelling {
  readonly projectId: string;
  readonly inbox: string;
  readonly device: string | null;
  readonly network: string | null;
  readonly threshold: number;
  readonly commonNetworks: number;
  readonly flagClaims: boolean;
  readonly mistyped: number;
  /** See `LogRecord`; says whether the answer is `block`. */
  readonly recommendations: string;
  /** `false` for a test key: history is read, nothing is added. */
  readonly keep: boolean;
}

/** The history of a batch’s devices, read together, judged in order and written together when the batch ends. */
export function deviceRows(connection: Connection) {
  const table = deviceTable(connection);
  const changed = new Set<DeviceEntry>();

  return {
    load: table.load,
    see(sighting: Sighting, device: string, inboxReused: boolean): DeviceHistory {
      const row = table.get(sighting.projectId, device);
      const lists = listsSince(row, sighting.cutoff);
      const history = deviceHistory(memoryOf(lists, sighting.network), sighting);
      if (!sighting.keep) return history;
      const answer = recommendationOf(sighting.recommendations, { device: history, inboxReused });
      // Its inbox then counts as blocked, not as signed up.
      addSighting(lists, sighting, answer === 'block');
      Object.assign(row, lists);
      changed.add(row);
      return history;
    },
    save(): void {
      table.save(changed);
      changed.clear();
    },
    clear(): void {
      changed.clear();
    },
  };
}

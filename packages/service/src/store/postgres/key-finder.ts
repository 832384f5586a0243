import type { KeyWithProject } from '../store.ts';
import { hashHandle, keysWithProjects, toKeyWithProject } from '../tables/key-table.ts';
import type { Connections } from './connections.ts';

const FIND = keysWithProjects('= ANY ($1)');

/** Looks keys up together: those asked for in one turn of the event loop are one statement. */
export function keyFinder({ hot }: Connections): (hash: string) => Promise<KeyWithProject | undefined> {
  let wanted = new Map<string, Promise<KeyWithProject | undefined>>();
  let found: Promise<Map<string, KeyWithProject>> | undefined;

  const look = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    const hashes = [...wanted.keys()];
    wanted = new Map();
    found = undefined;
    const rows = await hot(FIND, [hashes.map(hashHandle)]);
    return new Map(rows.map(toKeyWithProject).map((one) => [one.key.hash, one]));
  };

  return (hash) => {
    let answer = wanted.get(hash);
    if (!answer) {
      found ??= look();
      answer = found.then((keys) => keys.get(hash));
      wanted.set(hash, answer);
    }
    return answer;
  };
}

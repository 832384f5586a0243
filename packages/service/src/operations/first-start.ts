import type { KeyType } from '@postern/contract';
import type { NewKeyView } from '@postern/contract/dashboard';
import type { Project } from '../model/project.ts';
import { StoreConflict } from '../store/store.ts';
import type { Administration } from './administration.ts';
import { createProject } from './change-project.ts';
import { newKey } from './keys.ts';
import { perform } from './perform.ts';

export interface Demo {
  readonly project: Project;
  readonly client: NewKeyView;
  readonly server: NewKeyView;
}

export const DEMO_PROJECT_ID = 'demo';

/**
 * An empty store gets a demo project with one key of each type, so that the first request needs no set-up. `undefined`
 * if there was already a project. Many processes can start at once: the project’s ID is the lock, and the process that
 * creates the project creates the keys.
 */
export async function firstStart(admin: Administration): Promise<Demo | undefined> {
  const existing = await admin.store.projects.list();
  if (existing.length > 0) return undefined;
  try {
    const project = await createProject(admin, { id: DEMO_PROJECT_ID, name: 'Demo' });
    const create = (type: KeyType) =>
      perform(admin, () => newKey(admin, project.id, { type, name: `Demo ${type} key` }));
    const [client, server] = [await create('client'), await create('server')];
    return { project, client, server };
  } catch (error) {
    if (error instanceof StoreConflict) return undefined;
    throw error;
  }
}

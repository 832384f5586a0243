import type { Project } from '../model/project.ts';
import { StoreConflict } from '../store/store.ts';
import type { Administration } from './administration.ts';
import { createKey, type IssuedKey } from './keys.ts';
import { createProject } from './projects.ts';

export interface Demo {
  readonly project: Project;
  readonly client: IssuedKey;
  readonly server: IssuedKey;
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
    const client = await createKey(admin, { projectId: project.id, type: 'client', name: 'Demo client key' });
    const server = await createKey(admin, { projectId: project.id, type: 'server', name: 'Demo server key' });
    return { project, client, server };
  } catch (error) {
    if (error instanceof StoreConflict) return undefined;
    throw error;
  }
}

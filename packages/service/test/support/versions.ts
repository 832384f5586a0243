import { startService, type TestService } from './service.ts';

const NEXT_VERSION = new URL('./next-version.mjs', import.meta.url).href;

/** This version, the next one (1), or the one after that (2), on the same store. */
export function start(place: Place, version: 0 | 1 | 2): Promise<TestService> {
  const newer = version > 0 && { NODE_OPTIONS: `--import ${NEXT_VERSION}`, NEXT_VERSIONS: String(version) };
  return startService({ ...place, env: { ...place.env, ...newer } });
}

interface Place {
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
}

export async function counted(service: TestService, projectId: string) {
  return service.admin(async ({ store }) => {
    const used = await store.projects.usage(projectId, new Date().toISOString().slice(0, 7));
    const { rows } = await store.log.page(projectId, {}, 100_000, null);
    return { used, logged: rows.length };
  });
}

import type { FastifyInstance } from 'fastify';
import { BoundedMap } from '../../model/bounded-map.ts';
import type { VerdictKeys } from '../../record/verdict-keys.ts';
import type { ProjectStore } from '../../store/tables/project-table.ts';

export interface KeySetParts {
  readonly verdictKeys: Pick<VerdictKeys, 'freshSigner'>;
  /** Remembers that the project’s backend verifies verdicts. */
  readonly projects: Pick<ProjectStore, 'reachStep'>;
  readonly now: () => number;
}

const PROJECT_ID = /^[\w.-]{1,64}$/;
const MAX_REMEMBERED = 1_000;
/** Anybody can send a project’s ID, so that the store is asked this often at most. */
const LEAST_MS = 100;

/** The public keys for verifying verdicts. The SDK names its project, which the dashboard’s checklist shows. */
export function addKeySetRoute(server: FastifyInstance, { verdictKeys, projects, now }: KeySetParts): void {
  const noted = new BoundedMap<string, true>(MAX_REMEMBERED);
  let notedAt = Number.NEGATIVE_INFINITY;
  const note = (projectId: unknown) => {
    if (typeof projectId !== 'string' || !PROJECT_ID.test(projectId) || noted.get(projectId)) return;
    if (now() - notedAt < LEAST_MS) return;
    notedAt = now();
    noted.set(projectId, true);
    // Only a checklist depends on it, and the SDK fetches the keys again.
    projects.reachStep(projectId, 'verdict-keys', now()).catch(() => noted.delete(projectId));
  };
  server.get('/.well-known/jwks.json', { exposeHeadRoute: true }, async (request, reply) => {
    const signer = await verdictKeys.freshSigner();
    note(request.headers['x-project-id']);
    return reply
      .header('Cache-Control', 'public, max-age=300')
      .header('Access-Control-Allow-Origin', '*')
      .type('application/jwk-set+json')
      .send(JSON.stringify(signer.keySet(now())));
  });
}

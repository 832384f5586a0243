import { randomBytes } from 'node:crypto';
import { CHECK_NAMES, DEFAULT_ACTIONS } from '@postern/contract';
import { NO_FACTS } from '../packages/service/dist/model/facts-for-rules.js';
import { monthOf } from '../packages/service/dist/model/windows.js';
import { createProject } from '../packages/service/dist/operations/change-project.js';
import type { Store, Submission } from '../packages/service/dist/store/store.js';
import { createKey } from '../packages/service/test/support/keys.ts';

const NO_LIMIT = 1_000_000_000;
/** Three of four validations of a project are of new people. */
const NEW_PEOPLE = 0.75;

/** Submissions of a project, by default of a new one, for the store operation alone. */
export async function prepare(store: Store, projectId?: string): Promise<() => Submission> {
  const admin = { store, now: Date.now, randomBytes, plans: new Map([['free', 1]]), actor: 'bench' };
  const project =
    (await store.projects.list()).find(({ id }) => id === projectId) ??
    (await createProject(admin, {
      id: `settle-${randomBytes(4).toString('hex')}`,
      name: 'Settle',
      quotaLimit: NO_LIMIT,
      rateServer: NO_LIMIT,
    }));
  const { key } = await createKey(admin, { projectId: project.id, type: 'server' });
  const hashes = Array.from({ length: 1_000 }, () => randomBytes(16).toString('base64url').slice(0, 22));
  let at = 0;
  return () => {
    at += 1;
    const hash = hashes[at % hashes.length] ?? '';
    const now = Date.now();
    return {
      projectId: project.id,
      keyId: key.id,
      projectVersion: project.version,
      keyVersion: key.version,
      keyType: 'server',
      mode: 'live',
      now,
      rateLimit: NO_LIMIT,
      visitors: [],
      countRate: true,
      quotaLimit: NO_LIMIT,
      month: monthOf(now),
      validation: {
        inboxHash: hash,
        spellingHash: hash,
        deviceHash: hash,
        networkHash: hash,
        keyType: 'server',
        traits: {
          domain: null,
          mailHost: null,
          sharesNetwork: false,
          mail: 'provider',
          browser: 'ios',
          hosting: false,
          institution: false,
        },
        mistyped: 0,
        now,
        found: CHECK_NAMES.map((check) => ({ check, finding: { result: 'passed' } })),
        actions: DEFAULT_ACTIONS,
        listing: null,
        simulatedHistory: null,
        idempotency: null,
        log: {
          requestId: `bench-${at}`,
          maskedAddress: 'j***@gmail.com',
          domain: 'gmail.com',
          maskedIp: '81.2.69.0/24',
          country: 'GB',
          asn: 20712,
          shape: null,
          sdkVersion: null,
          checksJson: '{"syntax":[1,0.01],"mx":[1,0.02]}',
          facts: { ...NO_FACTS, operator: 'Andrews & Arnold' },
          latencyMs: 1,
          ran: 'syntax,disposable,mx,roleEmail,alias,device,ip',
          domainClass: 'free',
        },
      },
    };
  };
}

export function ofNewPerson(given: Submission, share = NEW_PEOPLE): Submission {
  if (!given.validation || Math.random() >= share) return given;
  const hash = () => randomBytes(16).toString('base64url');
  const [inboxHash, deviceHash, networkHash] = [hash(), hash(), hash()];
  const person = { inboxHash, spellingHash: inboxHash, deviceHash, networkHash };
  return { ...given, validation: { ...given.validation, ...person } };
}

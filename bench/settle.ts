import { randomBytes } from 'node:crypto';
import { CHECK_NAMES } from '@postern/contract';
import { NO_FACTS } from '../packages/service/dist/model/facts-for-rules.js';
import type { Store, Submission } from '../packages/service/dist/store/store.js';
import { makeCaller, makeKey, submissionOf } from '../packages/service/test/support/store-fixtures.ts';
import { NO_LIMIT } from './postern.ts';

const hash = () => randomBytes(16).toString('base64url');
const found = CHECK_NAMES.map((check) => ({ check, finding: { result: 'passed' } as const }));
const log = {
  maskedAddress: 'j***@gmail.com',
  domain: 'gmail.com',
  maskedIp: '81.2.69.0/24',
  country: 'GB',
  asn: 20712,
  checksJson: '{"syntax":[1,0.01],"mx":[1,0.02]}',
  facts: { ...NO_FACTS, operator: 'Andrews & Arnold' },
  ran: CHECK_NAMES.join(),
  domainClass: 'free',
} as const;

/**
 * Submissions of a project, by default of a new one, for the store operation alone. Of a project’s validations, three of
 * four are of new people.
 */
export async function submissionsOf(
  store: Store,
  { projectId, newPeople = 0.75 }: { projectId?: string; newPeople?: number } = {},
): Promise<() => Submission> {
  const project = (await store.projects.list()).find(({ id }) => id === projectId);
  const caller =
    project === undefined ? await makeCaller(store) : { project, key: await makeKey(store, project) };
  const known = Array.from({ length: 1_000 }, () => [hash(), hash(), hash()]);
  let at = 0;
  return () => {
    at += 1;
    const person = Math.random() < newPeople ? [hash(), hash(), hash()] : known[at % known.length];
    const [inbox = '', device = '', network = ''] = person ?? [];
    const traits = { sharesNetwork: false, mail: 'provider', browser: 'ios' } as const;
    const visit = { now: Date.now(), inbox, spelling: inbox, device, network, traits, record: { found } };
    return submissionOf(
      caller,
      { ...visit, log: { ...log, requestId: `bench-${at}` } },
      { rateLimit: NO_LIMIT, quotaLimit: NO_LIMIT },
    );
  };
}

import { defaultValues, PROJECT_FIELDS } from '@postern/contract/project-fields';
import { judge } from '../../packages/service/src/decision/judge.ts';
import type { ApiKey } from '../../packages/service/src/model/api-key.ts';
import type { BrowserClass } from '../../packages/service/src/model/browser-class.ts';
import type { MailKind } from '../../packages/service/src/model/mail-facts.ts';
import { DEFAULT_POLICY, type Project } from '../../packages/service/src/model/project.ts';
import type { CrowdRow } from '../../packages/service/src/store/settle/crowd.ts';
import type { DeviceRow } from '../../packages/service/src/store/settle/device.ts';
import type { InboxRow } from '../../packages/service/src/store/settle/inbox.ts';
import type { NewcomersRow } from '../../packages/service/src/store/settle/newcomers.ts';
import { settle, wantedRows } from '../../packages/service/src/store/settle/settle.ts';
import type { Submission } from '../../packages/service/src/store/submission.ts';
import { submissionOf } from '../../packages/service/test/support/store-fixtures.ts';

/** A person who signs up once. */
export interface SignUp {
  readonly at: number;
  /** `''` for ordinary people, else the name of the crowd or farm. */
  readonly group: string;
  readonly mail: MailKind;
  /** `null` at a provider. */
  readonly domain: string | null;
  readonly mailHost?: string;
  readonly network: string;
  readonly sharesNetwork?: true;
  readonly device: string | null;
  readonly browser: BrowserClass;
  readonly institution?: true;
}

const PROJECT: Project = {
  ...defaultValues(PROJECT_FIELDS),
  name: 'P',
  plan: 'free',
  policy: DEFAULT_POLICY,
  rules: [],
  namedLists: {},
  id: 'p',
  createdAt: 0,
  archivedAt: null,
  version: 1,
};
const CALLER = {
  project: PROJECT,
  key: { id: 'k', version: 1, type: 'client', mode: 'live' } as ApiKey,
};
const CHECKS = ['syntax', 'disposable', 'mx', 'alias', 'device', 'ip'] as const;

/** A project of its own in memory, which settles and judges sign-ups with the service’s code. */
export function createWorld(): (signUp: SignUp) => { readonly flagged: boolean; readonly blocked: boolean } {
  const inboxes = new Map<string, InboxRow>();
  const devices = new Map<string, DeviceRow>();
  const crowds = new Map<string, CrowdRow>();
  let newcomers: readonly NewcomersRow[] = [];
  let people = 0;
  return (signUp) => {
    people += 1;
    const submission = submissionFrom(signUp, `${people.toString(36).padStart(8, '0')}-inbox`);
    const wanted = wantedRows([submission]);
    const found = <T>(rows: ReadonlyMap<string, T>, names: readonly string[]): T[] =>
      names.flatMap((name) => rows.get(name) ?? []);
    const { settlements, changes } = settle(
      {
        project: PROJECT,
        keys: [{ ...CALLER.key, lastUsedAt: signUp.at }],
        lanes: [],
        quotas: [],
        inboxes: found(inboxes, wanted.inboxes),
        devices: found(devices, wanted.devices),
        crowds: found(crowds, wanted.things),
        newcomers,
        answers: [],
      },
      [submission],
      { judge, hashInbox: (name) => name, newId: (at) => String(at) },
    );
    // No person comes back in these stories, so inboxes need not be kept.
    for (const row of changes.devices) devices.set(row.device, row);
    for (const row of changes.crowds) crowds.set(row.thing, row);
    if (changes.newcomers.length > 0) newcomers = changes.newcomers;
    const [settled] = settlements;
    if (settled?.result !== 'admitted' || settled.validated === null) throw new Error('It was not admitted');
    const { recommendation } = settled.validated.judgement;
    return { flagged: recommendation !== 'allow', blocked: recommendation === 'block' };
  };
}

/** The beginnings of names are compared, as with hashes. */
const hashes = new Map<string, string>();
function hashOf(name: string): string {
  let hash = hashes.get(name);
  if (hash === undefined) {
    hash = hashes.size.toString(36).padStart(6, '0');
    hashes.set(name, hash);
  }
  return hash;
}

function submissionFrom(signUp: SignUp, inbox: string): Submission {
  const { at: now, domain, mailHost, network, device, browser, mail } = signUp;
  const visit = { now, inbox, spelling: inbox, isClaim: true, network: hashOf(network) };
  return submissionOf(CALLER, {
    ...visit,
    device: device === null ? null : hashOf(device),
    traits: {
      domain: domain === null ? null : hashOf(domain),
      mailHost: mailHost === undefined ? null : hashOf(mailHost),
      sharesNetwork: signUp.sharesNetwork ?? false,
      mail,
      browser,
      hosting: false,
      institution: signUp.institution ?? false,
    },
    log: { domain: domain ?? 'gmail.com' },
    record: {
      found: CHECKS.filter((check) => check !== 'device' || device !== null).map((check) => ({
        ...{ check, finding: { result: 'passed' } },
      })),
    },
  });
}

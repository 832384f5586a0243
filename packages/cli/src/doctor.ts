import { access, constants, stat, statfs } from 'node:fs/promises';
import { KEY_ROTATION_DAYS } from '@postern/contract';
import type { SafetyItem, SafetyItemId } from '@postern/contract/dashboard';
import type { Config } from '@postern/service/config';
import type { HealthReport } from '@postern/service/http/routes/health-probes';
import type { Administration } from '@postern/service/operations/administration';
import type { StoreFacts } from '@postern/service/store/administered-store';
import { isoMoment } from './moment.ts';
import { andMore } from './table.ts';

/** The state of one part, and what to do if there is a problem. */
export interface Diagnosis {
  readonly part: string;
  readonly state: 'ok' | 'attention' | 'fault';
  readonly says: string;
  readonly advice?: string;
}

const LOW_SPACE_BYTES = 500 * 1024 * 1024;
const CLOCK_TOLERANCE_MS = 60_000;
/** A correct clock cannot show a time before this release. */
const EARLIEST_TIME = Date.UTC(2026, 0, 1);

const ok = (part: string, says: string): Diagnosis => ({ part, state: 'ok', says });
const attention = (part: string, says: string, advice: string): Diagnosis => ({
  part,
  state: 'attention',
  says,
  advice,
});
const fault = (part: string, says: string, advice: string): Diagnosis => ({
  part,
  state: 'fault',
  says,
  advice,
});

export function examineSettings({ unknownSettings }: Config): Diagnosis {
  if (unknownSettings.length === 0) return ok('settings', 'all understood');
  const names = unknownSettings.join(', ');
  return attention('settings', `${names}: no such setting`, 'Look at `postern --help` for all names.');
}

/** The embedded store’s folder contains the signing keys. It must be writable, private and have free space. */
export async function examineFolder({ dataDir, databaseUrl }: Config): Promise<Diagnosis> {
  try {
    const { mode } = await stat(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const free = `${Math.floor((bavail * bsize) / 1024 / 1024)} MB free`;
    if (bavail * bsize < LOW_SPACE_BYTES) {
      return attention(
        'data folder',
        `${dataDir}: only ${free}`,
        'Free some space: on a full disk the service cannot count requests and answers 503.',
      );
    }
    if (databaseUrl === undefined && (mode & 0o077) !== 0) {
      const advice = `Other users of this machine can read it: chmod 700 ${dataDir}`;
      return attention(
        'data folder',
        `${dataDir} is open to others (mode ${(mode & 0o777).toString(8)})`,
        advice,
      );
    }
    return ok('data folder', `${dataDir}, ${free}`);
  } catch (error) {
    if (databaseUrl !== undefined && (error as NodeJS.ErrnoException).code === 'ENOENT')
      return ok('data folder', `${dataDir}: does not exist yet; it is created when data is refreshed`);
    const advice = 'Create the folder, give it to the service’s user, or set POSTERN_DATA_DIR.';
    return fault('data folder', `${dataDir}: ${reasonOf(error)}`, advice);
  }
}

export async function examineKeys(administration: Pick<Administration, 'store' | 'now'>): Promise<Diagnosis> {
  const { listKeys } = await import('@postern/service/operations/keys');
  const keys = await listKeys(administration);
  const due = keys.filter((key) => key.rotationDue).length;
  const live = keys.filter((key) => key.status === 'active').length;
  if (live === 0) {
    return attention('keys', 'no live key', 'Create one: npx postern key create --project ID --type server');
  }
  if (due === 0) return ok('keys', `${live} live`);
  return attention(
    'keys',
    `${live} live, ${due} of them ${KEY_ROTATION_DAYS} days old or older`,
    'Rotate them: npx postern key list, then key regenerate ID.',
  );
}

/** Quotas, rates and expiry depend on the clock. If the store has an entry from the future, the clock is wrong. */
export async function examineClock({
  store,
  now,
}: Pick<Administration, 'store' | 'now'>): Promise<Diagnosis> {
  const time = now();
  const advice = 'Set the clock and keep it correct (NTP). Quotas, rates and expiry depend on it.';
  if (time < EARLIEST_TIME) return fault('clock', `shows ${isoMoment(time)}, which is in the past`, advice);
  const [latest] = await store.audit.page(null, 1, null);
  if (latest !== undefined && latest.at > time + CLOCK_TOLERANCE_MS) {
    return fault(
      'clock',
      `shows ${isoMoment(time)}, but the store has an entry of ${isoMoment(latest.at)}`,
      advice,
    );
  }
  const { explainDoubt } = await import('@postern/service/store/clock');
  const doubt = await store.clock.doubt(time);
  return doubt === undefined
    ? ok('clock', isoMoment(time))
    : fault('clock', `shows ${isoMoment(time)}`, explainDoubt(doubt));
}

export function examineStore(facts: StoreFacts): Diagnosis {
  const { engineVersion, place, schemaVersion, sizeBytes, projects, keys, logRows, warnings } = facts;
  const size = `${Math.ceil(sizeBytes / 1024 / 1024)} MB`;
  const content = `${projects} projects, ${keys} keys, ${logRows} log rows, ${size}`;
  const says = `${place} (${engineVersion}, schema ${schemaVersion}): ${content}`;
  return warnings.length === 0 ? ok('store', says) : attention('store', says, warnings.join(' '));
}

/**
 * The command must not create a missing store: run with other settings than the service, it would report on a new, empty
 * one.
 */
export function examineMissingStore(file: string): Diagnosis {
  return attention(
    'store',
    `${file} does not exist`,
    'The first start of the service creates it. If the service uses another store, run this command with its settings: POSTERN_DATA_DIR or POSTERN_DATABASE_URL, or posternctl with the systemd unit.',
  );
}

/** For a store that could not be opened. */
export function examineClosedStore(error: unknown): Diagnosis {
  const { code } = error as { readonly code?: string };
  const [first = '', ...advice] = sentencesOf(error instanceof Error ? error.message : String(error));
  const says = code === undefined ? first : `${first.replace(/\.$/, '')} (${code})`;
  return fault('store', says, [...advice, 'Without its store the service answers 503.'].join(' '));
}

/** DNS and data, as the service itself checks them. The store has a diagnosis of its own. */
export function examineHealth({ parts: { store: _, ...parts } }: HealthReport): Diagnosis[] {
  return Object.entries(parts).map(([part, { status, message, version }]) => {
    if (status === 'ok') return ok(part, typeof version === 'string' ? `version ${version}` : 'works');
    const [says = status, ...rest] = sentencesOf(message ?? status);
    const advice = rest.join(' ');
    return status === 'down' ? fault(part, says, advice) : attention(part, says, advice);
  });
}

/** Of the service’s messages, the first sentence says what is wrong and the others what to do. */
function sentencesOf(message: string): string[] {
  return message.split(/(?<=\.) /);
}

/** The company’s sign-in: whether its provider answers and is the one that the settings name. */
export async function examineCompany({ company, publicUrl, passwords, proxy }: Config): Promise<Diagnosis[]> {
  if (company === undefined) return [];
  const part = 'company sign-in';
  const { readDiscovery } = await import('@postern/service/dashboard-api/auth/company-discovery');
  const { createFetchJson } = await import('@postern/service/dashboard-api/auth/company-fetch');
  try {
    await readDiscovery(company.issuer, createFetchJson(proxy));
  } catch (error) {
    const advice = passwords
      ? 'People can still sign in with passwords.'
      : 'Until it works, nobody can sign in: npx postern user sign-in-link lets an owner in.';
    return [fault(part, reasonOf(error), `Check POSTERN_OIDC_ISSUER and the way to the provider. ${advice}`)];
  }
  if (publicUrl === undefined)
    return [
      attention(
        part,
        `${company.issuer} answers`,
        'Set POSTERN_PUBLIC_URL: the provider sends people back to that address, which must be registered there.',
      ),
    ];
  return [
    ok(part, `${company.issuer} answers; it must know ${publicUrl}/dashboard/api/auth/company/callback`),
  ];
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return 'cannot be read and written by this user';
  return error instanceof Error ? error.message : String(error);
}

/** The command that fixes a finding of a project. */
const COMMANDS: Readonly<Partial<Record<SafetyItemId, string>>> = {
  'client-overrides': 'npx postern project update ID --client-overrides tighten',
  'visitor-rate': 'npx postern project update ID --visitor-rate 120',
  'server-reserve': 'npx postern project update ID --server-reserve N',
  'demo-keys': 'npx postern key list, then npx postern key revoke ID',
};

/** The checklist that the dashboard shows too. */
export async function examineSafety(
  settings: Config,
  administration: Pick<Administration, 'store' | 'now' | 'plans'>,
): Promise<Diagnosis[]> {
  const { readSafetyChecklist } = await import('@postern/service/operations/safety-checklist');
  return (await readSafetyChecklist(administration, { settings })).map(diagnosisOf);
}

function diagnosisOf({ id, title, finding, fix, projects }: SafetyItem): Diagnosis {
  const part = title.toLowerCase();
  if (fix === null) return { part, state: 'ok', says: finding };
  const says =
    projects.length === 0 ? finding : `${andMore(projects.slice(0, 3), projects.length)}: ${finding}`;
  const command = COMMANDS[id];
  return { part, state: 'attention', says, advice: command === undefined ? fix : `${fix} ${command}` };
}

import { DAY_MS } from '@postern/contract';
import type { CrowdThing } from '@postern/contract/rules';
import { type CrowdRule, isRented } from '../../model/crowds.ts';
import type { CrowdHistory, History } from '../../model/history.ts';
import type { Project } from '../../model/project.ts';
import { KEY_USE_NOTED_EVERY_MS, rateLane, visitorLane } from '../rate-rules.ts';
import { slotOf, validationLine } from '../statistics/statistics-words.ts';
import type { Judge, QuotaState, Settlement, Sighting, Submission, ValidationRecord } from '../submission.ts';
import { ANSWERS_KEPT_MS } from '../tables/answer-table.ts';
import type { TimedId } from '../timed-id.ts';
import {
  CROWD_MS,
  type CrowdRow,
  crowdConfirmed,
  crowdHistory,
  crowdSince,
  joinCrowd,
  personOf,
  placeAtDomain,
  thingsOf,
} from './crowd.ts';
import { type DeviceRow, deviceCrowd, deviceHistory, seeDevice } from './device.ts';
import { type InboxRow, isReused, seeInbox } from './inbox.ts';
import { Lane } from './lane.ts';
import { type LoggedRow, loggedRow } from './logged-row.ts';
import { Newcomers } from './newcomers.ts';
import type { ProjectChanges, ProjectRows, WantedRows } from './project-rows.ts';

/** Domains and mail hosts are bought for a campaign. */
const STARTS_CAMPAIGN: ReadonlySet<CrowdRule> = new Set(['rented-domain', 'mail-host']);

/** The rows that requests of one project need. */
export function wantedRows(batch: readonly Submission[]): WantedRows {
  const keys = new Set<string>();
  const months = new Set<string>();
  const inboxes = new Set<string>();
  const devices = new Set<string>();
  const things = new Set<string>();
  const idempotencyKeys = new Set<string>();
  const lanes = new Map<string, number>();
  let now = 0;
  for (const submission of batch) {
    now = Math.max(now, Math.floor(submission.now));
    keys.add(submission.keyId);
    months.add(submission.month);
    for (const { lane, limit } of lanesOf(submission)) lanes.set(lane, limit);
    const { validation } = submission;
    if (validation === null) continue;
    inboxes.add(validation.inboxHash);
    if (validation.deviceHash !== null) devices.add(validation.deviceHash);
    for (const thing of Object.values(thingsOf(validation))) things.add(thing);
    if (validation.idempotency !== null) idempotencyKeys.add(validation.idempotency.keyHash);
  }
  return {
    now,
    keys: [...keys],
    lanes: [...lanes].map(([lane, limit]) => ({ lane, limit })),
    months: [...months],
    inboxes: [...inboxes],
    devices: [...devices],
    things: [...things],
    idempotencyKeys: [...idempotencyKeys],
  };
}

/** The request’s own lane, then those of its visitor’s networks, the smallest first. */
function lanesOf({ lane, keyType, mode, rateLimit, visitors }: Submission) {
  return [
    { lane: rateLane(lane ?? keyType, mode) as string, limit: rateLimit },
    ...visitors.map(({ hash, limit }) => ({ lane: visitorLane(hash, mode), limit })),
  ];
}

/** The rows that say what a project knew before a request. */
export interface KnownRows {
  readonly inbox: InboxRow | undefined;
  readonly device: DeviceRow | undefined;
  readonly crowd: (thing: string) => CrowdRow | undefined;
  readonly newcomers: Newcomers;
}

/** What the project knew before this request. */
export function historyOf(
  { inbox, device, crowd, newcomers }: KnownRows,
  sighting: Sighting,
  project: Pick<Project, 'policy' | 'retentionDays'>,
): History {
  const { now } = sighting;
  const everybody = newcomers.people(now);
  const isKnown = inbox !== undefined && inbox.joinedAt !== null;
  const cutoff = crowdCutoff(now, project);
  const crowds: Partial<Record<CrowdThing, CrowdHistory>> = {};
  const note = (thing: CrowdThing, found: CrowdHistory | undefined) => {
    if (found !== undefined) crowds[thing] = found;
  };
  for (const [thing, key] of Object.entries(thingsOf(sighting)) as [CrowdThing, string][]) {
    const row = crowd(key);
    note(thing, crowdHistory(thing, row && crowdSince(row, cutoff), sighting, isKnown, everybody));
  }
  note('device', deviceCrowd(device, sighting, isKnown, everybody, project.policy));
  return {
    device: sighting.deviceHash === null ? null : deviceHistory(device, sighting, project, everybody),
    inboxReused: isReused(inbox, sighting, project),
    ...(Object.keys(crowds).length > 0 && { crowds }),
  };
}

/** People of crowds are forgotten with the project’s retention, and after a month. */
function crowdCutoff(now: number, { retentionDays }: Pick<Project, 'retentionDays'>): number {
  return now - Math.min(CROWD_MS, retentionDays * DAY_MS);
}

export interface SettleTools {
  readonly judge: Judge;
  readonly hashInbox: (name: string) => string;
  readonly newId: TimedId;
}

export interface Settled {
  /** In the order of the batch. */
  readonly settlements: readonly Settlement[];
  readonly changes: ProjectChanges;
}

/**
 * Settles requests of one project in order: counts each against the limits, and if it is admitted, judges it by the
 * history, remembers and logs it. Each request sees what those before it left. Both back ends call this between loading
 * the rows and saving the changes, while no other process can change the project’s rows.
 */
export function settle(rows: ProjectRows, batch: readonly Submission[], tools: SettleTools): Settled {
  const settling = new Settling(rows, wantedRows(batch), tools);
  return { settlements: batch.map((submission) => settling.settle(submission)), changes: settling.changes() };
}

class Settling {
  readonly #project: Project;
  readonly #now: number;
  readonly #tools: SettleTools;
  readonly #keys: Map<string, { version: number; lastUsedAt: number | null; isUsed: boolean }>;
  readonly #lanes: Map<string, Lane>;
  readonly #quotas: Map<string, { used: number; added: number }>;
  readonly #inboxes: Map<string, InboxRow>;
  readonly #devices: Map<string, DeviceRow>;
  readonly #crowds: Map<string, CrowdRow>;
  readonly #newcomers: Newcomers;
  /** When each `Idempotency-Key` was first used. */
  readonly #answers: Map<string, number>;
  readonly #seenInboxes = new Map<string, InboxRow>();
  readonly #seenDevices = new Map<string, DeviceRow>();
  readonly #seenCrowds = new Map<string, CrowdRow>();
  readonly #log: LoggedRow[] = [];
  readonly #newAnswers: ProjectChanges['answers'][number][] = [];
  readonly #lines = new Map<number, string>();

  constructor(rows: ProjectRows, wanted: WantedRows, tools: SettleTools) {
    this.#project = rows.project;
    this.#now = wanted.now;
    this.#tools = tools;
    this.#keys = new Map(
      rows.keys.map(({ id, version, lastUsedAt }) => [id, { version, lastUsedAt, isUsed: false }]),
    );
    const lanes = new Map(rows.lanes.map((row) => [row.lane, row]));
    this.#lanes = new Map(
      wanted.lanes.map(({ lane, limit }) => [lane, new Lane(lane, limit, wanted.now, lanes.get(lane))]),
    );
    const used = new Map(rows.quotas.map((quota) => [quota.month, quota.used]));
    this.#quotas = new Map(wanted.months.map((month) => [month, { used: used.get(month) ?? 0, added: 0 }]));
    this.#inboxes = new Map(rows.inboxes.map((row) => [row.inbox, row]));
    this.#devices = new Map(rows.devices.map((row) => [row.device, row]));
    this.#crowds = new Map(rows.crowds.map((row) => [row.thing, row]));
    this.#newcomers = new Newcomers(rows.newcomers[0]);
    this.#answers = new Map(rows.answers.map(({ keyHash, createdAt }) => [keyHash, createdAt]));
  }

  settle(submission: Submission): Settlement {
    if (!this.#confirm(submission)) return { result: 'stale' };
    const { validation, now, month } = submission;
    const [own, ...visitors] = lanesOf(submission).map(({ lane }) => existing(this.#lanes.get(lane)));
    const rate = existing(own);
    const quota = existing(this.#quotas.get(month));
    const quotaState = (): QuotaState => ({ limit: submission.quotaLimit, used: quota.used });
    if (validation !== null && this.#isRepeat(validation))
      return { result: 'repeated', rate: rate.state(now), quota: quotaState() };
    if (submission.countRate) {
      const full = visitors.find(({ hasRoom }) => !hasRoom) ?? (rate.hasRoom ? undefined : rate);
      if (full !== undefined) {
        this.#count(submission, '1 rate-limited');
        const by = full === rate ? 'project' : 'visitor';
        return { result: 'rate-limited', by, rate: full.state(now), quota: quotaState() };
      }
      for (const lane of [rate, ...visitors]) lane.count();
    }
    if (validation === null)
      return { result: 'admitted', rate: rate.state(now), quota: quotaState(), validated: null };
    if (submission.mode === 'live') {
      if (quota.used >= submission.quotaLimit) {
        this.#count(submission, '1 quota-exceeded');
        return { result: 'quota-exceeded', rate: rate.state(now), quota: quotaState() };
      }
      quota.used += 1;
      quota.added += 1;
    }
    const validated = this.#record(submission, validation);
    return { result: 'admitted', rate: rate.state(now), quota: quotaState(), validated };
  }

  /** Whether key and project are still the ones that admitted the caller. */
  #confirm({ keyId, keyVersion, projectVersion, now }: Submission): boolean {
    const key = this.#keys.get(keyId);
    if (key?.version !== keyVersion || this.#project.version !== projectVersion) return false;
    if (key.lastUsedAt === null || now - key.lastUsedAt >= KEY_USE_NOTED_EVERY_MS) {
      key.lastUsedAt = Math.floor(now);
      key.isUsed = true;
    }
    return true;
  }

  #isRepeat({ idempotency, now }: ValidationRecord): boolean {
    const firstAt = idempotency === null ? undefined : this.#answers.get(idempotency.keyHash);
    return firstAt !== undefined && firstAt > now - ANSWERS_KEPT_MS;
  }

  /** Judges a validation by its history, remembers and logs it. */
  #record(submission: Submission, validation: ValidationRecord) {
    const { inboxHash, deviceHash, idempotency } = validation;
    const history =
      validation.simulatedHistory ??
      historyOf(
        {
          inbox: this.#inboxes.get(inboxHash),
          device: deviceHash === null ? undefined : this.#devices.get(deviceHash),
          crowd: (thing) => this.#crowds.get(thing),
          newcomers: this.#newcomers,
        },
        validation,
        this.#project,
      );
    const judgement = this.#tools.judge(validation, this.#project, history, this.#tools.hashInbox);
    const logId = this.#tools.newId(validation.now);
    const validated = { logId, history, judgement };
    const row = loggedRow(submission, validation, validated);
    this.#log.push(row);
    if (submission.mode === 'live') {
      this.#remember(validation, judgement.recommendation === 'block', history.crowds ?? {});
      this.#count(submission, validationLine(row));
    }
    if (idempotency !== null) {
      const createdAt = Math.floor(validation.now);
      this.#answers.set(idempotency.keyHash, createdAt);
      this.#newAnswers.push({ ...idempotency, logRow: logId, createdAt });
    }
    return validated;
  }

  #remember(validation: ValidationRecord, blocked: boolean, crowds: NonNullable<History['crowds']>): void {
    const { inboxHash, deviceHash, now } = validation;
    const cutoff = now - this.#project.retentionDays * DAY_MS;
    const reasons = Object.values(crowds).flatMap(({ reason }) =>
      reason === undefined || reason.learning || reason.watched ? [] : [reason],
    );
    const seen = seeInbox(this.#inboxes.get(inboxHash), validation, cutoff);
    const isNew = !blocked && seen.joinedAt === null;
    const accused = reasons.length > 0;
    const inbox = isNew ? this.#join(seen, validation, accused) : seen;
    if (!isNew && validation.keyType === 'server')
      this.#changeCrowds(validation, (row) => row && crowdConfirmed(row, inboxHash));
    if (reasons.some(({ rule }) => STARTS_CAMPAIGN.has(rule))) this.#newcomers.noteCampaign(now);
    this.#inboxes.set(inboxHash, inbox);
    this.#seenInboxes.set(inboxHash, inbox);
    // Erasing a person finds the person’s devices by this list, so nothing may be remembered beside it.
    if (deviceHash === null || !inbox.devices.some(([name]) => name === deviceHash)) return;
    const device = seeDevice(
      this.#devices.get(deviceHash),
      deviceHash,
      validation,
      { blocked, isNew, accused },
      cutoff,
    );
    this.#devices.set(deviceHash, device);
    this.#seenDevices.set(deviceHash, device);
  }

  /** Counts a person who is new to the project. */
  #join(inbox: InboxRow, validation: ValidationRecord, accused: boolean): InboxRow {
    const { now, traits } = validation;
    const person = personOf(validation, accused);
    const cutoff = crowdCutoff(now, this.#project);
    const { domain } = thingsOf(validation);
    const place = isRented(traits.mail) && domain ? placeAtDomain(this.#crowds.get(domain), person) : -1;
    const things = this.#changeCrowds(validation, (row, thing) => joinCrowd(row, thing, person, cutoff));
    const { mail, browser } = traits;
    this.#newcomers.add(Math.floor(now), { mail, browser, place });
    return { ...inbox, joinedAt: Math.floor(now), things };
  }

  /** Of the things that came with the request, which are returned. */
  #changeCrowds(
    validation: ValidationRecord,
    change: (row: CrowdRow | undefined, thing: string) => CrowdRow | undefined,
  ): string[] {
    const things = Object.values(thingsOf(validation));
    for (const thing of things) {
      const before = this.#crowds.get(thing);
      const crowd = change(before, thing);
      if (crowd === undefined || crowd === before) continue;
      this.#crowds.set(thing, crowd);
      this.#seenCrowds.set(thing, crowd);
    }
    return things;
  }

  /** Test keys leave no trace in the statistics. */
  #count({ mode, now }: Submission, line: string): void {
    if (mode !== 'live') return;
    const at = slotOf(now);
    const before = this.#lines.get(at);
    this.#lines.set(at, before === undefined ? line : `${before}\n${line}`);
  }

  changes(): ProjectChanges {
    return {
      keys: [...this.#keys].flatMap(([id, { isUsed, lastUsedAt }]) =>
        isUsed && lastUsedAt !== null ? [{ id, lastUsedAt }] : [],
      ),
      buckets: [...this.#lanes.values()].flatMap((lane) => lane.change() ?? []),
      quotas: [...this.#quotas].flatMap(([month, { added }]) => (added > 0 ? [{ month, used: added }] : [])),
      inboxes: [...this.#seenInboxes.values()],
      devices: [...this.#seenDevices.values()],
      crowds: [...this.#seenCrowds.values()],
      newcomers: this.#newcomers.isChanged && this.#newcomers.row ? [this.#newcomers.row] : [],
      log: this.#log,
      answers: this.#newAnswers,
      statistics: [...this.#lines].map(([at, lines]) => ({ id: this.#tools.newId(this.#now), at, lines })),
    };
  }
}

function existing<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A row that the batch needs was not asked for');
  return value;
}

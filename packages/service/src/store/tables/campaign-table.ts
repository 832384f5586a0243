import type { Recommendation } from '@postern/contract';
import type {
  CampaignDecision,
  CampaignLink,
  CampaignThing,
  CampaignView,
  ListChange,
} from '@postern/contract/dashboard';
import { chunksOf } from '../../model/chunks.ts';
import { flag, integer, integerOrNull, json, text, textOrNull } from '../columns.ts';
import { type Database, hasRows, type Statement, statement } from '../database.ts';
import { type RowOf, rowOf, tableOf } from '../table-of.ts';
import { timePrefix } from '../timed-id.ts';
import { filterConditions } from './log-filter.ts';

/** What was decided, and what takes it back. */
export interface StoredDecision extends Omit<CampaignDecision, 'byName'> {
  readonly undo: readonly ListChange[];
}

export const CAMPAIGN = tableOf('campaign', {
  projectId: text,
  id: text,
  since: integer,
  lastSeen: integer,
  seenAt: integer,
  things: json<readonly CampaignThing[]>,
  spread: json<CampaignView['spread']>,
  acknowledgedAt: integerOrNull,
  acknowledgedBy: textOrNull,
  decisions: json<readonly StoredDecision[]>,
  badAt: integerOrNull,
  mergedInto: textOrNull,
});
export type CampaignRow = RowOf<typeof CAMPAIGN>;

export const CAMPAIGN_PERSON = tableOf('campaign_person', {
  projectId: text,
  inbox: text,
  campaignId: text,
  at: integer,
  lastSeen: integer,
  answer: text<Recommendation>,
  because: json<CampaignLink>,
});
export type CampaignPersonRow = RowOf<typeof CAMPAIGN_PERSON>;

/** How many people of a campaign are alike. */
const CAMPAIGN_COUNT = rowOf({
  campaignId: text,
  answer: text<Recommendation>,
  judgement: textOrNull<'good' | 'bad'>,
  /** Came before the campaign was noticed. */
  early: flag,
  people: integer,
});
export type CampaignCount = RowOf<typeof CAMPAIGN_COUNT>;

/** One validation of a person in a campaign. */
const CAMPAIGN_REQUEST = rowOf({
  /** When the person came. */
  firstSeen: integer,
  id: text,
  inbox: text,
  requestId: text,
  at: integer,
  answer: text<Recommendation>,
  details: json<{ readonly maskedAddress: string }>,
  judgement: textOrNull<'good' | 'bad'>,
});
export type CampaignRequestRow = RowOf<typeof CAMPAIGN_REQUEST>;

const INBOX_NAME = rowOf({ inbox: text });
const NEWEST = { lastSeen: Number.MAX_SAFE_INTEGER, id: '' };
const PEOPLE_AT_ONCE = 100;
const READ_AT_ONCE = 10_000;
/** A known good person who shares something is looked for in this many rows of the log. */
const ROWS_SEARCHED = 200_000;

export function campaignStore(database: Database) {
  /** The people after one of them, in the order in which they came. */
  const peoplePage = (
    projectId: string,
    campaignId: string,
    { at, inbox }: { readonly at: number; readonly inbox: string },
    limit: number,
  ): Promise<CampaignPersonRow[]> => {
    const after = 'AND at >= ? AND (at > ? OR inbox > ?) ORDER BY at, inbox LIMIT ?';
    return CAMPAIGN_PERSON.findAll(database.browse, { projectId, campaignId }, after, at, at, inbox, limit);
  };
  return {
    /** The campaign, or the one that it was merged into. */
    async find(projectId: string, id: string): Promise<CampaignRow | undefined> {
      const found = await CAMPAIGN.find(database.browse, { projectId, id });
      if (found?.mergedInto == null) return found;
      return CAMPAIGN.find(database.browse, { projectId, id: found.mergedInto });
    },
    /** Those whose last person came at `from` or later, the latest first. `open`: not acknowledged. */
    page: (
      projectId: string,
      { from = 0, open = false, after = NEWEST }: { from?: number; open?: boolean; after?: typeof NEWEST },
      limit: number,
    ): Promise<CampaignRow[]> =>
      CAMPAIGN.findAll(
        database.browse,
        { projectId, mergedInto: null, ...(open && { acknowledgedAt: null }) },
        'AND last_seen >= ? AND last_seen <= ? AND (last_seen < ? OR id < ?) ORDER BY last_seen DESC, id DESC LIMIT ?',
        ...[from, after.lastSeen, after.lastSeen, after.id, limit],
      ),
    /** The campaign that a person belongs to. */
    idOf: async (projectId: string, inbox: string): Promise<string | undefined> =>
      (await CAMPAIGN_PERSON.find(database.read, { projectId, inbox }))?.campaignId,
    /** When members marked the person’s campaign as bad. */
    async badAt(projectId: string, inbox: string): Promise<number | undefined> {
      const theirs = 'AND id = (SELECT campaign_id FROM campaign_person WHERE project_id = ? AND inbox = ?)';
      return (
        (await CAMPAIGN.find(database.read, { projectId }, theirs, projectId, inbox))?.badAt ?? undefined
      );
    },
    /** Whether a person of a campaign came since then, or a request showed that one is under way. Cheap enough for a request. */
    async isUnderWay(projectId: string, since: number): Promise<boolean> {
      const found = `SELECT 1 AS one FROM campaign WHERE project_id = ? AND last_seen >= ?
        UNION ALL SELECT 1 AS one FROM newcomers WHERE project_id = ? AND campaign_at >= ? LIMIT 1`;
      return hasRows(await database.read(statement(found, projectId, since, projectId, since)));
    },
    peoplePage,
    /** All its people, in portions. */
    async *people(projectId: string, campaignId: string): AsyncGenerator<CampaignPersonRow[]> {
      for (let after = { at: 0, inbox: '' }; ; ) {
        const found = await peoplePage(projectId, campaignId, after, READ_AT_ONCE);
        if (found.length > 0) yield found;
        if (found.length < READ_AT_ONCE) return;
        after = found.at(-1) ?? after;
      }
    },
    /** How many people of these campaigns are alike. */
    async counts(projectId: string, ids: readonly string[]): Promise<CampaignCount[]> {
      if (ids.length === 0) return [];
      return CAMPAIGN_COUNT.findAll(
        database.browse,
        `SELECT p.campaign_id, p.answer, o.judgement, CASE WHEN p.at < c.seen_at THEN 1 ELSE 0 END AS early,
             count(*) AS people
           FROM campaign_person p CROSS JOIN campaign c
           LEFT JOIN outcome o ON o.project_id = p.project_id AND o.inbox = p.inbox
           WHERE p.project_id = ? AND p.campaign_id IN (${ids.map(() => '?').join(', ')})
             AND c.project_id = p.project_id AND c.id = p.campaign_id
           GROUP BY p.campaign_id, p.answer, o.judgement, CASE WHEN p.at < c.seen_at THEN 1 ELSE 0 END`,
        ...[projectId, ...ids],
      );
    },
    /** The live validations of its people, by person as they came, after the one with that ID. */
    requests: (
      projectId: string,
      campaignId: string,
      after: { readonly firstSeen: number; readonly inbox: string; readonly id: string },
      { allowed, limit }: { readonly allowed: boolean; readonly limit: number },
    ): Promise<CampaignRequestRow[]> =>
      CAMPAIGN_REQUEST.findAll(
        database.browse,
        `SELECT p.at AS first_seen, l.id, l.inbox, l.request_id, l.at, l.recommendation AS answer, l.details, o.judgement
           FROM campaign_person p
           JOIN validation_log l ON l.project_id = p.project_id AND l.inbox = p.inbox AND l.mode = 'live'
           LEFT JOIN outcome o ON o.project_id = p.project_id AND o.inbox = p.inbox
           WHERE p.project_id = ? AND p.campaign_id = ? AND p.at >= ?
             AND (p.at > ? OR p.inbox > ? OR (p.inbox = ? AND l.id > ?))
             ${allowed ? "AND l.recommendation = 'allow'" : ''}
           ORDER BY p.at, p.inbox, l.id LIMIT ?`,
        ...[projectId, campaignId, after.firstSeen, after.firstSeen],
        ...[after.inbox, after.inbox, after.id, limit],
      ),
    /** The known good people since then who came with one of the things. */
    async goodPeopleWith(
      projectId: string,
      since: number,
      things: readonly CampaignThing[],
    ): Promise<string[]> {
      const namesOf = (kind: CampaignThing['kind']) =>
        things.flatMap((thing) => (thing.kind === kind ? [thing.name] : []));
      const any = [
        { domainUnder: namesOf('domain') },
        { mailHost: namesOf('mailHost') },
        { deviceHash: namesOf('device') },
        { network: namesOf('network') },
      ].flatMap(filterConditions);
      if (any.length === 0) return [];
      const people = await INBOX_NAME.findAll(
        database.browse,
        `SELECT DISTINCT l.inbox FROM (SELECT * FROM validation_log
             WHERE project_id = ? AND id >= ? AND mode = 'live' ORDER BY id DESC LIMIT ${ROWS_SEARCHED}) AS l
           JOIN outcome o ON o.project_id = l.project_id AND o.inbox = l.inbox AND o.judgement = 'good'
           WHERE ${any.map(({ sql }) => sql).join(' OR ')}`,
        ...[projectId, timePrefix(since), ...any.flatMap(({ values }) => values)],
      );
      return people.map(({ inbox }) => inbox);
    },
    /** A new campaign, unless another process has just noticed it. */
    creation: (row: CampaignRow): Statement =>
      CAMPAIGN.insert(row, { suffix: 'ON CONFLICT (project_id, id) DO NOTHING' }),
    /** What the log says of it by now. What members say of it is left alone. */
    growth: ({ projectId, id, since, lastSeen, things, spread }: Omit<CampaignRow, 'seenAt'>): Statement =>
      statement(
        `UPDATE campaign SET since = CASE WHEN since < ? THEN since ELSE ? END, last_seen = ?, things = ?, spread = ?
         WHERE project_id = ? AND id = ?`,
        ...[since, since, lastSeen, JSON.stringify(things), JSON.stringify(spread), projectId, id],
      ),
    /** Makes one campaign part of another, with all its people. */
    merging: (projectId: string, id: string, into: string): Statement[] => [
      CAMPAIGN.update({ projectId, id }, { mergedInto: into }),
      CAMPAIGN.update({ projectId, mergedInto: id }, { mergedInto: into }),
      CAMPAIGN_PERSON.update({ projectId, campaignId: id }, { campaignId: into }),
    ],
    joining(people: readonly CampaignPersonRow[]): Statement[] {
      return [...chunksOf(people, PEOPLE_AT_ONCE)].map((some) =>
        statement(
          `INSERT INTO campaign_person (${CAMPAIGN_PERSON.list})
           VALUES ${some.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}
           ON CONFLICT (project_id, inbox) DO UPDATE SET campaign_id = excluded.campaign_id, at = excluded.at,
             last_seen = excluded.last_seen, answer = excluded.answer, because = excluded.because`,
          ...some.flatMap(({ projectId, inbox, campaignId, at, lastSeen, answer, because }) => [
            ...[projectId, inbox, campaignId, at, lastSeen, answer, JSON.stringify(because)],
          ]),
        ),
      );
    },
    /** What members decided, if no other decision came meanwhile. */
    decision: (
      before: CampaignRow,
      { acknowledgedAt, acknowledgedBy, decisions, badAt }: CampaignRow,
    ): Statement[] => {
      const { projectId, id } = before;
      const asRead = ['AND decisions = ?', JSON.stringify(before.decisions)] as const;
      return [
        CAMPAIGN.update({ projectId, id }, { acknowledgedAt, acknowledgedBy, decisions, badAt }, ...asRead),
        CAMPAIGN.mustHave({ projectId, id }, 'AND decisions = ?', JSON.stringify(decisions)),
      ];
    },
    write: (statements: readonly Statement[]) => database.write(statements),
  };
}

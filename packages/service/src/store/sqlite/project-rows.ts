import type { Project } from '../../model/project.ts';
import type { Row, SqlValue } from '../database.ts';
import { bucketAt, CLOCK_SKEW_MS, WINDOW_MS } from '../rate-rules.ts';
import type { LaneRow } from '../settle/lane.ts';
import type { ProjectChanges, ProjectRows, WantedRows } from '../settle/project-rows.ts';
import { insertDeliveries, WRITTEN_LISTS } from '../settle/written-lists.ts';
import type { Table } from '../table-of.ts';
import { PROJECT } from '../tables/project-table.ts';
import { CROWD, DEVICE, INBOX, NEWCOMERS } from '../tables/settle-tables.ts';
import type { Connection } from './connection.ts';

/** Loads and saves the rows of a batch, inside a transaction that holds the write lock. */
export function projectRows(connection: Connection) {
  const findProject = projectReader(connection);
  const readLane = laneReader(connection);
  const keys = listReader(
    connection,
    "'id', kept.id, 'version', version, 'lastUsedAt', last_used_at",
    'api_key',
    'id',
    'AND kept.revoked_at IS NULL',
  );
  const quotas = listReader(connection, "'month', month, 'used', used", 'quota', 'month');
  const inboxes = listReader(connection, objectOf(INBOX), 'inbox', 'inbox');
  const devices = listReader(connection, objectOf(DEVICE), 'device', 'device');
  const crowds = listReader(connection, objectOf(CROWD), 'crowd', 'thing');
  const newcomers = connection
    .prepare(`SELECT json_object(${objectOf(NEWCOMERS)}) FROM newcomers AS kept WHERE project_id = ?`)
    .raw(true);
  const answers = listReader(
    connection,
    "'keyHash', key_hash, 'createdAt', created_at",
    'idempotent_answer',
    'key_hash',
  );
  const save = changeWriter(connection);

  return {
    /** `undefined` if there is no such project, or it is archived. */
    load(projectId: string, wanted: WantedRows): ProjectRows | undefined {
      const project = findProject(projectId);
      if (project === undefined) return undefined;
      return {
        project,
        keys: keys(projectId, wanted.keys),
        lanes: wanted.lanes.flatMap(({ lane, limit }) => readLane(projectId, lane, limit, wanted.now) ?? []),
        quotas: quotas(projectId, wanted.months),
        inboxes: inboxes(projectId, wanted.inboxes),
        devices: devices(projectId, wanted.devices),
        crowds: crowds(projectId, wanted.things),
        newcomers: ((newcomers.get([projectId]) ?? []) as string[]).map((text) => JSON.parse(text)),
        answers: answers(projectId, wanted.idempotencyKeys),
      };
    },
    save,
  };
}

const MAX_PROJECTS = 1_000;

/** A project’s settings are read again only when its version has changed. */
function projectReader(connection: Connection) {
  const version = connection
    .prepare('SELECT version FROM project WHERE id = ? AND archived_at IS NULL')
    .raw(true);
  const whole = connection.prepare(`SELECT ${PROJECT.list} FROM project WHERE id = ?`);
  const cached = new Map<string, Project>();
  return (id: string): Project | undefined => {
    const [current] = (version.get([id]) ?? []) as readonly number[];
    if (current === undefined) return undefined;
    const known = cached.get(id);
    if (known?.version === current) return known;
    const project = PROJECT.fromRow(whole.get([id]) as Row);
    if (cached.size >= MAX_PROJECTS) cached.clear();
    cached.set(id, project);
    return project;
  };
}

function objectOf({ fields }: Pick<Table<unknown>, 'fields'>): string {
  return fields
    .filter(({ column }) => column !== 'project_id')
    .map(
      ({ field, column, type }) =>
        `'${field}', ${type === 'JSON' ? `json(kept.${column})` : `kept.${column}`}`,
    )
    .join(', ');
}

/**
 * Reads rows of one project by their keys. They come as one JSON text: passing the values through the driver one by one
 * takes longer than SQLite needs to find the rows.
 */
function listReader(connection: Connection, object: string, table: string, key: string, condition = '') {
  const statement = connection
    .prepare(
      `SELECT json_group_array(json_object(${object})) FROM json_each(?2) AS wanted CROSS JOIN ${table} AS kept
       WHERE kept.project_id = ?1 AND kept.${key} = wanted.value ${condition}`,
    )
    .raw(true);
  return <T>(project: string, wanted: readonly string[]): T[] => {
    if (wanted.length === 0) return [];
    const [text] = statement.get([project, JSON.stringify(wanted)]) as readonly [string];
    return JSON.parse(text) as T[];
  };
}

function laneReader(connection: Connection) {
  const where = 'project_id = ? AND lane = ?';
  const newest = connection
    .prepare(
      `SELECT second, count, last_at, counted FROM rate_bucket WHERE ${where} ORDER BY second DESC LIMIT 1`,
    )
    .raw(true);
  const oldest = connection
    .prepare(
      `SELECT second, counted - count, last_at FROM rate_bucket
       WHERE ${where} AND second >= ? AND last_at > ? ORDER BY second LIMIT 1`,
    )
    .raw(true);
  const freeing = connection
    .prepare(
      `SELECT last_at FROM rate_bucket WHERE ${where} AND second >= ? AND counted >= ? ORDER BY second LIMIT 1`,
    )
    .raw(true);
  const before = connection
    .prepare(`SELECT counted FROM rate_bucket WHERE ${where} AND second < ? ORDER BY second DESC LIMIT 1`)
    .raw(true);

  return (project: string, lane: string, limit: number, now: number): LaneRow | undefined => {
    const last = newest.get([project, lane]) as readonly [number, number, number, number] | undefined;
    if (last === undefined) return undefined;
    const [second, count, latestAt, counted] = last;
    const isAhead = latestAt > now + CLOCK_SKEW_MS;
    const hourAgo = (isAhead ? now : Math.max(now, latestAt)) - WINDOW_MS;
    const first = oldest.get([project, lane, bucketAt(hourAgo), hourAgo]) as
      | readonly [number, number, number]
      | undefined;
    const isFull = first !== undefined && counted - first[1] >= limit;
    const [freeingAt = null] = isFull
      ? ((freeing.get([project, lane, first[0], counted - limit + 1]) ?? []) as readonly number[])
      : [];
    const [countedBeforeNow = first?.[1] ?? counted] = isAhead
      ? ((before.get([project, lane, bucketAt(now)]) ?? []) as readonly number[])
      : [];
    return {
      lane,
      counted,
      latestAt,
      second,
      count,
      oldest: first === undefined ? null : { second: first[0], before: first[1], lastAt: first[2] },
      freeingAt,
      countedBeforeNow: isAhead ? countedBeforeNow : null,
    };
  };
}

function changeWriter(connection: Connection) {
  const writes = WRITTEN_LISTS.map(({ list, table, fields, onConflict }) => {
    const insert = connection.prepare(
      `INSERT INTO ${table} (project_id, ${fields.map(({ column }) => column).join(', ')})
      VALUES (?, ${fields.map(() => '?').join(', ')}) ${onConflict}`,
    );
    const valuesOf = fields.map(
      ({ field, type }) =>
        (row: Row) =>
          type === 'JSON' ? JSON.stringify(row[field]) : (row[field] as SqlValue),
    );
    return {
      list,
      write: (project: string, row: Row) => insert.run([project, ...valuesOf.map((of) => of(row))]),
    };
  });
  const deliver = connection.prepare(
    insertDeliveries(
      '?1',
      `(SELECT value ->> '$.id' AS id, value ->> '$.mode' AS mode, value ->> '$.recommendation' AS recommendation
        FROM json_each(?2)) AS l`,
    ),
  );
  const noteUse = connection.prepare('UPDATE api_key SET last_used_at = ? WHERE project_id = ? AND id = ?');
  const drop = connection.prepare(
    'DELETE FROM rate_bucket WHERE project_id = ? AND lane = ? AND (second < ? OR second > ?)',
  );

  return (projectId: string, changes: ProjectChanges): void => {
    for (const { id, lastUsedAt } of changes.keys) noteUse.run([lastUsedAt, projectId, id]);
    for (const { lane, goneBefore, second } of changes.buckets)
      drop.run([projectId, lane, goneBefore, second]);
    for (const { list, write } of writes)
      for (const row of changes[list]) write(projectId, row as unknown as Row);
    const told = changes.log.filter(
      ({ mode, recommendation }) => mode === 'live' && recommendation !== 'allow',
    );
    if (told.length > 0) {
      const rows = told.map(({ id, mode, recommendation }) => ({ id, mode, recommendation }));
      deliver.run([projectId, JSON.stringify(rows)]);
    }
  };
}

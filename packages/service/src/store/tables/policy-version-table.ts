import { defaultValues, POLICY_FIELDS, type ProjectPolicy } from '@postern/contract/project-fields';
import type { Rule } from '@postern/contract/rules';
import { integer, json, text, textOrNull } from '../columns.ts';
import { type Database, type Row, type Statement, statement } from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';

/** A policy that is older than a field has that field’s default. */
export function policyColumn<T>(row: Row, column: string): T {
  return { ...defaultValues(POLICY_FIELDS), ...json<object>(row, column) } as T;
}

export const POLICY_VERSION = tableOf('policy_version', {
  projectId: text,
  /** 1 is the first one. */
  number: integer,
  at: integer,
  /** Who saved it: `cli`, `service`, or a member’s ID. */
  actor: text,
  reason: textOrNull,
  policy: policyColumn<ProjectPolicy>,
  rules: json<readonly Rule[]>,
});

export type PolicyVersion = Omit<RowOf<typeof POLICY_VERSION>, 'projectId'>;

/** What is saved, by whom and why. */
export type SavedPolicy = Omit<PolicyVersion, 'number'>;

/** A project keeps this many versions, the newest ones. */
const KEPT_VERSIONS = 200;

/** The versions of a project’s policy and rules. The project’s own changes write them. */
export function policyVersionStore(database: Database) {
  return {
    /** Newest first, before the version `before`. */
    async page(projectId: string, limit: number, before?: number): Promise<PolicyVersion[]> {
      const newest = 'AND number < ? ORDER BY number DESC LIMIT ?';
      const upTo = before ?? Number.MAX_SAFE_INTEGER;
      return (await POLICY_VERSION.findAll(database.read, { projectId }, newest, upTo, limit)).map(toVersion);
    },
    async find(projectId: string, number: number): Promise<PolicyVersion | undefined> {
      const found = await POLICY_VERSION.find(database.read, { projectId, number });
      return found && toVersion(found);
    },
  };
}

function toVersion({ projectId, ...version }: RowOf<typeof POLICY_VERSION>): PolicyVersion {
  return version;
}

/** Adds the first version. Runs before the project is inserted: if the ID is taken, nothing is written. */
export function insertFirstVersion(projectId: string, saved: SavedPolicy): Statement {
  return POLICY_VERSION.insert(
    { projectId, number: 1, ...saved },
    {
      when: { sql: 'NOT EXISTS (SELECT 1 FROM project WHERE id = ?)', values: [projectId] },
      suffix: 'ON CONFLICT (project_id, number) DO NOTHING',
    },
  );
}

/** Adds the next version and deletes the oldest beyond the limit. Runs after the project’s row is locked. */
export function insertNextVersion(projectId: string, saved: SavedPolicy): Statement[] {
  const { at, actor, reason, policy, rules } = saved;
  return [
    statement(
      `INSERT INTO policy_version (${POLICY_VERSION.list})
       SELECT p.id, (SELECT coalesce(max(v.number), 0) + 1 FROM policy_version v WHERE v.project_id = p.id),
         CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT)
       FROM project p WHERE p.id = ?`,
      ...[at, actor, reason, JSON.stringify(policy), JSON.stringify(rules), projectId],
    ),
    POLICY_VERSION.remove(
      { projectId },
      `AND number <= (SELECT max(v.number) FROM policy_version v WHERE v.project_id = ?) - ${KEPT_VERSIONS}`,
      projectId,
    ),
  ];
}

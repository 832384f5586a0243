import type { IssuedKey } from '@postern/service/administration/keys';
import type { KeyFacts } from '@postern/service/model/key-facts';
import { isoMoment, relativeMoment } from './moment.ts';
import { formatTable } from './table.ts';
import type { Colors } from './terminal.ts';

/** A key as `--json` prints it. */
export function keyJson({ key, status, ageDays, rotationDue }: KeyFacts): Record<string, unknown> {
  return {
    id: key.id,
    projectId: key.projectId,
    type: key.type,
    mode: key.mode,
    name: key.name,
    hint: key.hint,
    status,
    ageDays,
    rotationDue,
    createdAt: isoMoment(key.createdAt),
    expiresAt: isoMoment(key.expiresAt),
    revokedAt: isoMoment(key.revokedAt),
    lastUsedAt: isoMoment(key.lastUsedAt),
  };
}

/** The same with the secret, which is printed only once. */
export function issuedKeyJson({ secret }: IssuedKey, facts: KeyFacts): Record<string, unknown> {
  const { id, type, ...rest } = keyJson(facts);
  return { id, type, key: secret, ...rest };
}

export function issuedKeyText({ key, secret }: IssuedKey, colors: Colors): string {
  const advice =
    key.type === 'server'
      ? 'Keep it secret: it belongs in a backend, and browsers are refused with it.'
      : 'It can be used in pages and apps. The project’s allowed domains decide which.';
  return [
    `${key.mode === 'test' ? 'Test' : 'Live'} ${key.type} key ${colors.bold(key.id)} of project ${colors.bold(key.projectId)}`,
    '',
    `  ${colors.green(secret)}`,
    '',
    `Shown only once; only its hash is stored. ${advice}`,
    ...(key.expiresAt === null ? [] : [`Expires ${isoMoment(key.expiresAt)}.`]),
    '',
  ].join('\n');
}

export function keyTable(keys: readonly KeyFacts[], now: number, colors: Colors): string {
  return formatTable(
    keys,
    [
      { title: 'id', cell: ({ key }) => colors.bold(key.id) },
      { title: 'project', cell: ({ key }) => key.projectId },
      { title: 'type', cell: ({ key }) => key.type },
      { title: 'mode', cell: ({ key }) => key.mode },
      { title: 'name', cell: ({ key }) => key.name },
      { title: 'begins', cell: ({ key }) => key.hint },
      { title: 'age', cell: ({ ageDays }) => `${ageDays} d`, align: 'right' },
      {
        title: 'last used',
        cell: ({ key }) => (key.lastUsedAt === null ? 'never' : relativeMoment(key.lastUsedAt, now)),
      },
      { title: 'state', cell: (facts) => stateOf(facts, now, colors) },
    ],
    colors,
  );
}

function stateOf({ key, status, rotationDue }: KeyFacts, now: number, colors: Colors): string {
  if (status !== 'active') return colors.red(status);
  if (rotationDue) return colors.yellow('active, rotate it');
  return colors.green(
    key.expiresAt === null ? 'active' : `active, expires ${relativeMoment(key.expiresAt, now)}`,
  );
}

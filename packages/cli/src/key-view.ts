import type { KeyView, NewKeyView } from '@postern/contract/dashboard';
import { isoMoment, relativeMoment } from './moment.ts';
import { formatTable } from './table.ts';
import type { Colors } from './terminal.ts';

export function issuedKeyText(key: NewKeyView, colors: Colors): string {
  const advice =
    key.type === 'server'
      ? 'Keep it secret: it belongs in a backend, and browsers are refused with it.'
      : 'It can be used in pages and apps. The project’s allowed domains decide which.';
  return [
    `${key.mode === 'test' ? 'Test' : 'Live'} ${key.type} key ${colors.bold(key.id)} of project ${colors.bold(key.projectId)}`,
    '',
    `  ${colors.green(key.key)}`,
    '',
    `Shown only once; only its hash is stored. ${advice}`,
    ...(key.expiresAt === null ? [] : [`Expires ${isoMoment(key.expiresAt)}.`]),
    '',
  ].join('\n');
}

export function keyTable(keys: readonly KeyView[], now: number, colors: Colors): string {
  return formatTable(
    keys,
    [
      { title: 'id', cell: ({ id }) => colors.bold(id) },
      { title: 'project', cell: ({ projectId }) => projectId },
      { title: 'type', cell: ({ type }) => type },
      { title: 'mode', cell: ({ mode }) => mode },
      { title: 'name', cell: ({ name }) => name },
      { title: 'begins', cell: ({ hint }) => hint },
      { title: 'age', cell: ({ ageDays }) => `${ageDays} d`, align: 'right' },
      {
        title: 'last used',
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : relativeMoment(lastUsedAt, now)),
      },
      { title: 'state', cell: (key) => stateOf(key, now, colors) },
    ],
    colors,
  );
}

function stateOf({ expiresAt, status, rotationDue }: KeyView, now: number, colors: Colors): string {
  if (status !== 'active') return colors.red(status);
  if (rotationDue) return colors.yellow('active, rotate it');
  return colors.green(expiresAt === null ? 'active' : `active, expires ${relativeMoment(expiresAt, now)}`);
}

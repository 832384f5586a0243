import { API_ERRORS } from './errors.ts';
import { type HeaderName, LIMIT_HEADERS } from './headers.ts';
import { ref, type Schema } from './openapi-schema.ts';

/** Headers that such an answer always has, and those that it can have. */
export function headerRefs(always: readonly HeaderName[], sometimes: readonly HeaderName[] = []): Schema {
  const refTo = (name: string) => ({ $ref: `#/components/headers/${name}` });
  return Object.fromEntries([
    ...always.map((name) => [name, refTo(name)]),
    ...sometimes.map((name) => [name, refTo(`${name}${OPTIONAL}`)]),
  ]);
}

/** The ending of a header’s component that an answer can lack. */
export const OPTIONAL = '.optional';

/** Statuses that a request can get before its caller is known. Other answers tell where the limits stand. */
const AT_THE_GATES: ReadonlySet<number> = new Set([401, 403, 404, 405, 408, 413, 415, 431]);
const ALWAYS_ON: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** One response for each status of the error table, with the texts that it can carry. */
export function errorResponses(): Record<string, Schema> {
  const byStatus = new Map<number, [string, (typeof API_ERRORS)[keyof typeof API_ERRORS]][]>();
  for (const [name, row] of Object.entries(API_ERRORS))
    byStatus.set(row.status, [...(byStatus.get(row.status) ?? []), [name, row]]);
  return Object.fromEntries(
    [...byStatus].map(([status, rows]) => {
      const schema = status === 402 ? 'QuotaError' : status === 429 ? 'RateError' : 'Error';
      const examples = Object.fromEntries(
        rows.map(([name, row]) => [name, { summary: row.when, value: { error: row.text } }]),
      );
      const plain = schema === 'Error' ? { examples } : {};
      return [
        String(status),
        {
          description: rows
            .map(([name, row]) => `\`${name}\`, \`${row.text}\`: ${row.when} ${row.fix}`)
            .join('\n\n'),
          headers: headerRefs(
            ['X-Request-Id', 'X-Error-Code', ...(ALWAYS_ON[status] ?? [])],
            [
              ...(status === 409 ? (['Retry-After'] as const) : []),
              ...(AT_THE_GATES.has(status) ? [] : LIMIT_HEADERS),
            ],
          ),
          content: { 'application/json': { schema: ref(schema), ...plain } },
        },
      ];
    }),
  );
}

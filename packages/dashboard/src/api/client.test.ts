import { expect, it } from 'vitest';
import { type api, apiUrl } from './client.ts';

it('fills in the path and adds the rest as the query', () => {
  expect(apiUrl('GET /audit.csv', {})).toBe('/dashboard/api/v1/audit.csv');
  expect(
    apiUrl('GET /projects/:id/overview.csv', { id: 'a/b:c', from: 1, to: undefined, timeZone: '' }),
  ).toBe('/dashboard/api/v1/projects/a%2Fb%3Ac/overview.csv?from=1');
  expect(
    apiUrl('GET /projects/:id/validations/:validationId', { id: ':validationId', validationId: 'v' }),
  ).toBe('/dashboard/api/v1/projects/%3AvalidationId/validations/v');
});

/** `npm run types` fails if one of these compiles. Nothing is called. */
export async function doesNotCompile(call: typeof api) {
  const keys = await call('GET /projects/:id/keys', { id: 'x' });
  keys satisfies { hint: string }[];
  // @ts-expect-error: a key has no such field.
  keys[0]?.hnit;
  // @ts-expect-error: no such route.
  await call('GET /projects/:id/key', { id: 'x' });
  // @ts-expect-error: the path needs an ID.
  await call('GET /projects/:id/keys');
  // @ts-expect-error: the path has another parameter.
  await call('GET /projects/:id/keys', { projectId: 'x' });
  // @ts-expect-error: the query has no such name.
  await call('GET /projects/:id/outcomes', { id: 'x', day: 7 });
  // @ts-expect-error: a body is needed.
  await call('POST /projects/:id/keys', { id: 'x' });
  // @ts-expect-error: the body has no such field.
  await call('POST /projects/:id/keys', { id: 'x' }, { body: { type: 'server', nmae: 'x' } });
}

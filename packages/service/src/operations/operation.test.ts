import { expect, it } from 'vitest';
import { created, type DashboardHandlers, NO_CONTENT, ok, queryText } from './operation.ts';

type Handlers = Partial<DashboardHandlers>;

/** `npm run types` fails if one of these compiles. */
it('implements a route only as the contract declares it', () => {
  const right = {
    'PATCH /members/:id': async (call) => {
      call.params.id satisfies string;
      call.body.role satisfies string | undefined;
      throw new Error('not asked');
    },
    'GET /projects/:id/outcomes': async (call) => {
      queryText(call, 'days');
      throw new Error('not asked');
    },
  } satisfies Handlers;
  expect(Object.keys(right)).toHaveLength(2);
  // @ts-expect-error: the contract has no such route.
  ({ 'GET /token/:id': async () => NO_CONTENT }) satisfies Handlers;
  // @ts-expect-error: the answer is a list of tokens.
  ({ 'GET /tokens': async () => ok([{ id: 'x' }]) }) satisfies Handlers;
  // @ts-expect-error: the answer is empty.
  ({ 'DELETE /tokens/:id': async () => created({}) }) satisfies Handlers;
  ({
    // @ts-expect-error: the path has no such parameter.
    'DELETE /tokens/:id': async ({ params }) => (params.tokenId ? NO_CONTENT : NO_CONTENT),
  }) satisfies Handlers;
  ({
    // @ts-expect-error: the body has no such field.
    'POST /password/forgot': async (call) => (call.body.mail ? ok({}) : ok({})),
  }) satisfies Handlers;
  ({
    'GET /projects/:id/outcomes': async (call) => {
      // @ts-expect-error: the query has no such name.
      queryText(call, 'day');
      throw new Error('not asked');
    },
  }) satisfies Handlers;
});

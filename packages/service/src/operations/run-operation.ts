import {
  type AnswerOf,
  type AskedOf,
  type BodyOf,
  DASHBOARD_ROUTES,
  type RouteFacts,
  type RouteName,
} from '@postern/contract/dashboard-routes';
import type { Administration } from './administration.ts';
import type {
  DashboardAnswer,
  DashboardCall,
  DashboardHandlers,
  DashboardRoute,
  Outcome,
} from './operation.ts';
import { perform } from './perform.ts';
import { readBody } from './read-body.ts';

/** Everything that an operation is called with, except the body: `runOperation` reads that by the contract’s schema. */
export type CallFacts = Omit<DashboardCall<string, string>, 'body'>;

/** Reads the body, runs the operation, and stores what it changes together with its audit rows. */
export async function runOperation(
  { body, run }: { readonly body?: RouteFacts['body'] | undefined; readonly run: DashboardRoute['run'] },
  facts: CallFacts,
  sent: unknown,
): Promise<DashboardAnswer> {
  const read = body === undefined ? undefined : readBody(body, sent, facts.admin.plans);
  return perform(facts.admin, async () => {
    const outcome = await run({ ...facts, body: read as never });
    return isChange(outcome) ? outcome : { write: [], note: [], answer: outcome };
  });
}

function isChange(outcome: Outcome): outcome is Extract<Outcome, { write: unknown }> {
  return 'write' in outcome;
}

const NO_REQUEST = {
  clientAddress: '',
  connectionAddress: '',
  cookie: '',
  userAgent: '',
};

/** Calls operations without HTTP and without asking for a role: the caller may read the store anyway. */
export function operationsOf<Name extends RouteName>(
  handlers: Pick<DashboardHandlers, Name>,
  admin: Administration,
  /** The base of links in answers. */
  base = '',
) {
  return async <N extends Name>(name: N, asked: AskedOf<N>, body?: BodyOf<N>): Promise<AnswerOf<N>> => {
    const nobody = { caller: { ...NO_REQUEST, base }, member: undefined, session: undefined };
    const facts = { admin, ...nobody, longReads: <T>(work: () => Promise<T>) => work() };
    const inPath = new Set([...name.matchAll(/:(\w+)/g)].map(([, param = '']) => param));
    const entries = Object.entries(asked);
    const { body: answer } = await runOperation(
      { body: DASHBOARD_ROUTES[name].body, run: handlers[name] as DashboardRoute['run'] },
      {
        ...facts,
        params: Object.fromEntries(entries.filter(([key]) => inPath.has(key))) as Record<string, string>,
        query: Object.fromEntries(
          entries
            .filter(([key]) => !inPath.has(key))
            .map(([key, value]) => [key, value === undefined ? value : String(value)]),
        ),
      },
      body,
    );
    return answer as AnswerOf<N>;
  };
}

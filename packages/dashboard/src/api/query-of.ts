import type { AnswerOf, AskedOf, QueryOf, RouteName } from '@postern/contract/dashboard-routes';
import { type InfiniteData, infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

type Reading = RouteName & `GET ${string}`;
type Next = string | number;
type InPages = {
  [Name in Reading]: AnswerOf<Name> extends { next: Next | null } ? Name : never;
}[Reading];

/** A GET has no body, which the compiler cannot tell while the route’s name is open. */
const read = api as <Name extends Reading>(
  route: Name,
  asked: AskedOf<Name>,
  sent: { readonly signal: AbortSignal },
) => Promise<AnswerOf<Name>>;

/** A query of a route. Its key is the route with what is asked, so that different questions never share an answer. */
export const queryOf = <Name extends Reading>(route: Name, asked: AskedOf<Name>) =>
  queryOptions({ queryKey: [route, asked], queryFn: ({ signal }) => read(route, asked, { signal }) });

/** The same of a route that answers in pages; `cursor` is what the next page is asked with. */
export const pagesOf = <Name extends InPages>(route: Name, cursor: QueryOf<Name>, asked: AskedOf<Name>) =>
  infiniteQueryOptions<AnswerOf<Name>, Error, InfiniteData<AnswerOf<Name>>, QueryKey, Next | undefined>({
    queryKey: ['pages', route, asked],
    initialPageParam: undefined,
    getNextPageParam: (last) => (last as { next: Next | null }).next ?? undefined,
    queryFn: ({ pageParam, signal }) => read(route, { ...asked, [cursor]: pageParam }, { signal }),
  });

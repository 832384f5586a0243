import type { DashboardCall } from './operation.ts';

/** The members’ names by their IDs. */
export async function memberNames({ admin }: DashboardCall): Promise<ReadonlyMap<string, string>> {
  return new Map((await admin.store.members.list()).map(({ id, name }) => [id, name]));
}

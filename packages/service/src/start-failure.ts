import { ConfigError } from './setting-reader.ts';
import { SchemaMismatch } from './store/migration.ts';
import { StoreUnavailable } from './store/store.ts';

/** Why the service cannot start, for people: it says what is wrong and what to do. It shows a stack only for bugs. */
export function startFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StoreUnavailable) return `${error.message} (${error.code})`;
  const expected =
    error instanceof ConfigError || error instanceof SchemaMismatch || error.cause !== undefined;
  return expected ? error.message : (error.stack ?? error.message);
}

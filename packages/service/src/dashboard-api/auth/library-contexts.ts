import type { AsyncLocalStorage } from 'node:async_hooks';
import {
  getCurrentAuthContextAsyncLocalStorage,
  getCurrentDBAdapterAsyncLocalStorage,
  getRequestStateAsyncLocalStorage,
} from '@better-auth/core/context';

/** The AsyncLocalStorage instances of the sign-in library. */
export function libraryContexts(): Promise<AsyncLocalStorage<unknown>[]> {
  return Promise.all([
    getCurrentAuthContextAsyncLocalStorage(),
    getCurrentDBAdapterAsyncLocalStorage(),
    getRequestStateAsyncLocalStorage(),
  ]);
}

/**
 * Runs work in the library’s contexts, and disables them when the last call has left. Before Node 24 a context that was
 * entered once tracks every promise of the process until it is disabled: after one sign-in, each `/validate` would cost
 * a sixth more for the rest of the process’s life.
 */
export function visitLibrary(): <T>(work: () => Promise<T>) => Promise<T> {
  let inside = 0;
  return async (work) => {
    const contexts = await libraryContexts();
    inside += 1;
    try {
      return await work();
    } finally {
      inside -= 1;
      if (inside === 0) for (const context of contexts) context.disable();
    }
  };
}

import type { AsyncLocalStorage } from 'node:async_hooks';
import {
  getCurrentAuthContextAsyncLocalStorage,
  getCurrentDBAdapterAsyncLocalStorage,
  getRequestStateAsyncLocalStorage,
} from '@better-auth/core/context';

/** Where the sign-in library keeps what belongs to one request. */
export function libraryContexts(): Promise<AsyncLocalStorage<unknown>[]> {
  return Promise.all([
    getCurrentAuthContextAsyncLocalStorage(),
    getCurrentDBAdapterAsyncLocalStorage(),
    getRequestStateAsyncLocalStorage(),
  ]);
}

/**
 * Lets work enter the library’s contexts, and switches them off when the last one is out. Before Node 24 a context
 * that was entered once has every promise of the process watched until it is switched off: one sign-in, and each
 * `/validate` costs a sixth more for as long as the process lives.
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

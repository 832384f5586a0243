import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { libraryContexts, visitLibrary } from './sign-in-library.ts';

/** Whether the context tracks promises. Only before Node 24; later versions never do. */
const isOn = (context: AsyncLocalStorage<unknown>) => (context as { enabled?: boolean }).enabled === true;

describe('a call into the sign-in library', () => {
  it('disables its contexts, but not while another call is still inside', async () => {
    const [context] = await libraryContexts();
    if (context === undefined) throw new Error('The library has no contexts');
    const visit = visitLibrary();
    let leave = () => {};
    const staying = visit(() =>
      context.run('kept', async () => {
        await new Promise<void>((resolve) => {
          leave = resolve;
        });
        return context.getStore();
      }),
    );
    await visit(() => context.run('other', async () => {}));
    leave();
    expect(await staying).toBe('kept');
    expect(isOn(context)).toBe(false);
  });

  it('covers all contexts of the library', async () => {
    const known = await libraryContexts();
    const global = Reflect.get(globalThis, Symbol.for('better-auth:global')) as { context: object };
    const all = Object.values(global.context).filter((part) => part instanceof AsyncLocalStorage);
    expect(new Set(known)).toEqual(new Set(all));
  });
});

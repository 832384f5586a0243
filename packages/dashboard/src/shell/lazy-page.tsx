import type { ComponentType, ReactNode } from 'react';

export interface LazyPage {
  (): ReactNode;
  /** Loads the page's file. Rejects when it cannot be loaded; a later call tries again. */
  preload: () => Promise<void>;
}

/**
 * A page in a file of its own. The router's own helper reloads the whole window when a file cannot be loaded, which
 * loses unsaved work; this one lets the caller decide.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): LazyPage {
  let page: ComponentType | undefined;
  let loading: Promise<void> | undefined;
  const preload = () => {
    loading ??= load().then(
      (file) => {
        page = file[name];
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  function Page() {
    const Loaded = page;
    if (Loaded === undefined) throw preload();
    return <Loaded />;
  }
  Page.preload = preload;
  return Page;
}

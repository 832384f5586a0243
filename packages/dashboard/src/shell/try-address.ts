import { createContext } from 'react';

/** Opens “Try an address” above the page that one is on. */
export const TryAddress = createContext<() => void>(() => {});

const PAUSE_MS = 2_000;

/**
 * Imports a chunk and, if that fails, its second copy a little later. Some browsers, such as Chromium up to version 149,
 * remember a failed `import()` for the life of the page and ask only for another URL. The package has the second copies
 * as files of their own: see `scripts/pack-sdks.mjs`.
 */
export const importAgain = <Module>(
  first: () => Promise<Module>,
  second: () => Promise<Module>,
): Promise<Module> =>
  first().catch(() => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)).then(second));

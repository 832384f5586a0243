/**
 * Imports a file of the dashboard once it and everything that it imports could be fetched. The build calls this for
 * every `import()`.
 *
 * Some browsers, such as Chromium up to version 149, remember a failed `import()` for the life of the page: trying again
 * fails without a request, also if only a file that it imports was missing. Another URL for the same file would work,
 * but gives a second copy of every module that shares it. A failed `fetch` is remembered nowhere, and the import that
 * follows a successful one finds the files in the browser’s cache, because their names contain their hash.
 */
export async function importWhenFetched<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  await Promise.all(files.map((file) => fetchOnce(new URL(file, BASE).href)));
  return load();
}

const BASE = new URL(import.meta.env.BASE_URL, document.baseURI);

/** What was fetched or is being fetched. What the page itself names was there before this code ran. */
const fetched = new Map<string, Promise<void>>();
for (const element of document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>('link, script'))
  fetched.set(element instanceof HTMLScriptElement ? element.src : element.href, Promise.resolve());

function fetchOnce(url: string): Promise<void> {
  const known = fetched.get(url);
  if (known !== undefined) return known;
  const fetching = fetchScript(url).catch((error: unknown) => {
    fetched.delete(url);
    throw error;
  });
  fetched.set(url, fetching);
  return fetching;
}

async function fetchScript(url: string): Promise<void> {
  const response = await fetch(url);
  // The whole file: until it has arrived, the connection may fail and the cache cannot answer.
  await response.arrayBuffer();
  // A proxy’s own page, such as a sign-in, is no script either, and importing it would fail.
  const isScript = response.headers.get('content-type')?.includes('javascript') === true;
  if (!response.ok || !isScript) throw new Error(`${url} could not be loaded`);
}

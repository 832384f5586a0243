/** A path of the API, with `:name` for a parameter. */
interface KnownPath {
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

/**
 * Finds the methods that a path accepts; none if it does not exist. Adding a refusing route for every other method of
 * every path took a tenth of the start-up.
 */
export function createKnownMethods(
  routes: readonly { readonly method: string; readonly path: string }[],
): (path: string) => readonly string[] {
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method]);
  const paths: KnownPath[] = [...methods].map(([path, allowed]) => ({
    segments: path.split('/'),
    methods: allowed,
  }));
  // `/invites/accept` before `/invites/:id`, as the router prefers them.
  paths.sort((one, other) => parametersOf(one) - parametersOf(other));
  return (path) => {
    const asked = decoded(path).split('/');
    return paths.find(({ segments }) => matches(segments, asked))?.methods ?? [];
  };
}

function matches(segments: readonly string[], asked: readonly string[]): boolean {
  return (
    segments.length === asked.length &&
    segments.every((segment, index) =>
      segment.startsWith(':') ? asked[index] !== '' : asked[index] === segment,
    )
  );
}

function parametersOf({ segments }: KnownPath): number {
  return segments.filter((segment) => segment.startsWith(':')).length;
}

/** As the router decodes it: an encoded slash does not end a segment. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

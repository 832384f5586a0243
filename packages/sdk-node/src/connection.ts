/** What every request to the service needs. */
export interface Connection {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly apiKey: string;
}

type Given = { readonly [K in keyof Connection]?: Connection[K] | undefined };

const ENVIRONMENT = {
  baseUrl: 'POSTERN_URL',
  projectId: 'POSTERN_PROJECT_ID',
  apiKey: 'POSTERN_SERVER_KEY',
} as const satisfies Record<keyof Connection, string>;

/** `null` while something is neither given nor in the environment, such as during a build without secrets. */
export function completeOptions<O extends Given, K extends keyof Connection>(
  options: O,
  names: readonly K[],
): (O & Pick<Connection, K>) | null {
  const filled: Record<string, unknown> = { ...options };
  for (const name of names) {
    const value = options[name] || environment()[ENVIRONMENT[name]];
    if (value === undefined || value === '') return null;
    filled[name] = value;
  }
  return filled as O & Pick<Connection, K>;
}

/** For the first call, when the values can no longer come later. */
export function missingOptions(options: Given, names: readonly (keyof Connection)[]): TypeError {
  const missing = names.filter((name) => !options[name] && !environment()[ENVIRONMENT[name]]);
  const list = missing.map((name) => `${name} (or ${ENVIRONMENT[name]} in the environment)`);
  return new TypeError(`Postern needs ${list.join(' and ')}`);
}

/** For a machine that is slow or far away, without a change of the code. */
export function timeoutFromEnvironment(): number | undefined {
  const value = Number(environment().POSTERN_TIMEOUT_MS);
  return value > 0 ? value : undefined;
}

/** Edge runtimes have no `process`. */
function environment(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env ?? {};
}

interface FilterOptions {
  readonly signal?: readonly string[];
  readonly surgeAtLeast?: string;
}

/** The filter that the options describe; `undefined` if none was given. `--signal ''` removes the limit to signals. */
export function webhookFilter({ signal, surgeAtLeast }: FilterOptions): object | undefined {
  if (signal === undefined && surgeAtLeast === undefined) return undefined;
  return {
    ...(signal !== undefined && { signals: signal.filter((name) => name !== '') }),
    ...(surgeAtLeast !== undefined && { surgeAtLeast: Number(surgeAtLeast) }),
  };
}

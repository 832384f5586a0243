interface FilterOptions {
  readonly signal?: readonly string[];
  readonly surgeAtLeast?: string;
}

/** What the options say about which events a webhook gets; `undefined` if they say nothing. */
export function webhookFilter({ signal, surgeAtLeast }: FilterOptions): object | undefined {
  if (signal === undefined && surgeAtLeast === undefined) return undefined;
  return {
    ...(signal !== undefined && { signals: signal.filter((name) => name !== '') }),
    ...(surgeAtLeast !== undefined && { surgeAtLeast: Number(surgeAtLeast) }),
  };
}

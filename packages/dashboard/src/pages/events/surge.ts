interface Source {
  readonly name: string;
  readonly count: number;
  /** Many unrelated people share the domain; blocking it would hit all of them. */
  readonly mailProvider: boolean;
}

export interface Surge {
  /** Blocks, flags, or sign-ups from one domain, from one network or with one pattern of names. */
  readonly kind: string;
  /** The domain, the network or the pattern. */
  readonly name: string | undefined;
  readonly count: number;
  readonly usual: number;
  readonly domains: readonly Source[];
  readonly networks: readonly Source[];
  readonly patterns: readonly Source[];
  readonly signals: readonly Source[];
}

/** A surge of answers has no name, one of a source no signals: missing fields are empty. */
export function readSurge(data: Readonly<Record<string, unknown>>): Surge {
  const kind = String(data.kind);
  const name = typeof data.name === 'string' ? data.name : undefined;
  const count = numberOf(data.count);
  const own = name === undefined ? [] : [{ name, count, mailProvider: false }];
  return {
    kind,
    name,
    count,
    usual: numberOf(data.usual),
    domains: kind === 'domain' ? own : sourcesOf(data.domains),
    networks: kind === 'network' ? own : sourcesOf(data.networks),
    patterns: kind === 'pattern' ? own : sourcesOf(data.patterns),
    signals: sourcesOf(data.signals),
  };
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0);

function sourcesOf(value: unknown): Source[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: { name?: unknown; count?: unknown; mailProvider?: unknown } | null) =>
    typeof item?.name === 'string'
      ? [{ name: item.name, count: numberOf(item.count), mailProvider: item.mailProvider === true }]
      : [],
  );
}

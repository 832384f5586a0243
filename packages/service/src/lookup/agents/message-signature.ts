/** A request as an agent’s signature covers it. */
export interface SignedRequest {
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The path and query, as they were sent. */
  readonly target: string;
}

/** A signature of Web Bot Auth, and the bytes that it must sign. */
interface MessageSignature {
  readonly keyId: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly expires: number;
  readonly signature: Buffer;
  readonly base: Buffer;
}

/** Real ones have about 500 characters. */
const MAX_HEADER = 2_048;
const TAG = 'web-bot-auth';
// All are read from a position on (`y`), and no two parts can begin with the same character: linear time.
const LABEL = /\s*([a-z*][a-z0-9_.*-]{0,63})=/y;
const COMPONENTS = /\(([^()]*)\)/y;
const PARAMETER = /;\s*([a-z*][a-z0-9_.*-]*)=(?:"([^"\\]*)"|(-?\d{1,15})|[A-Za-z*:][A-Za-z0-9:/+=*._-]*)/y;
const COMPONENT = /\s*"([^"\\]{1,64})"((?:;[a-z]+(?:="[^"\\]{0,64}")?)*)/y;
const BYTES = /:([A-Za-z0-9+/]*=*):/y;
const STRING = /"([^"\\]*)"/y;
const NEXT = /\s*(?:,|$)/y;

/** Who says that it sends the request: the addresses in `Signature-Agent`, by their labels. */
export function claimedAgents({ header }: SignedRequest): ReadonlyMap<string, string> {
  const agents = new Map<string, string>();
  // A text of its own, as the first drafts had it, or a dictionary.
  const text = (header('signature-agent') ?? '').slice(0, MAX_HEADER).trim();
  const alone = readAt(STRING, text, 0);
  if (alone !== undefined) return agents.set('', alone[1] ?? '');
  eachMember(text, (label, at) => {
    const value = readAt(STRING, text, at);
    if (value !== undefined) agents.set(label, value[1] ?? '');
    return at + (value?.[0].length ?? 0);
  });
  return agents;
}

/**
 * The first signature with the tag of Web Bot Auth (RFC 9421). `malformed`: it is not written as that says, or does not cover what it must;
 * `foreign`: there is none, or it covers parts of the request that are not known here.
 */
export function readMessageSignature(request: SignedRequest): MessageSignature | 'malformed' | 'foreign' {
  const input = (request.header('signature-input') ?? '').slice(0, MAX_HEADER);
  const signatures = signaturesByLabel(request.header('signature') ?? '');
  let found: MessageSignature | 'malformed' | 'foreign' = 'foreign';
  const complete = eachMember(input, (label, at) => {
    const inner = readAt(COMPONENTS, input, at);
    if (inner === undefined) return undefined;
    const [end, parameters] = readParameters(input, at + inner[0].length);
    if (parameters.get('tag') === TAG && found === 'foreign')
      found = signatureOf(request, inner[1] ?? '', input.slice(at, end), parameters, signatures.get(label));
    return end;
  });
  return found === 'foreign' && !complete ? 'malformed' : found;
}

function signatureOf(
  request: SignedRequest,
  components: string,
  written: string,
  parameters: ReadonlyMap<string, string>,
  signature: Buffer | undefined,
): MessageSignature | 'malformed' | 'foreign' {
  const lines: string[] = [];
  const covered = new Set<string>();
  for (let at = 0; at < components.length; ) {
    const component = readAt(COMPONENT, components, at);
    if (component === undefined) return 'malformed';
    const [whole, name = '', more = ''] = component;
    const value = componentValue(request, name, more);
    if (value === undefined) return 'foreign';
    covered.add(name);
    lines.push(`"${name}"${more}: ${value}`);
    at += whole.length;
  }
  lines.push(`"@signature-params": ${written}`);
  const keyId = parameters.get('keyid');
  const [created, expires] = ['created', 'expires'].map((name) => Number(parameters.get(name)));
  const coversEnough =
    (covered.has('@authority') || covered.has('@target-uri')) && covered.has('signature-agent');
  if (!coversEnough || keyId === undefined || signature === undefined || !created || !expires)
    return 'malformed';
  return { keyId, created, expires, signature, base: Buffer.from(lines.join('\n')) };
}

/** Section 2.2 for what stands in the request line, section 2.1 for headers. */
function componentValue(request: SignedRequest, name: string, more: string): string | undefined {
  const { header, target } = request;
  const query = target.indexOf('?');
  const authority = header('host')?.toLowerCase();
  if (name === 'signature-agent' && more.startsWith(';key="')) {
    const agent = claimedAgents(request).get(more.slice(6, -1));
    return agent === undefined ? undefined : `"${agent}"`;
  }
  if (more !== '') return undefined;
  switch (name) {
    case '@authority':
      return authority;
    case '@method':
      return 'POST';
    case '@path':
      return query < 0 ? target : target.slice(0, query);
    case '@query':
      return query < 0 ? '?' : target.slice(query);
    case '@scheme':
      return 'https';
    case '@target-uri':
      return `https://${authority}${target}`;
    default:
      return header(name)?.trim();
  }
}

function signaturesByLabel(text: string): ReadonlyMap<string, Buffer> {
  const signatures = new Map<string, Buffer>();
  const bounded = text.slice(0, MAX_HEADER);
  eachMember(bounded, (label, at) => {
    const bytes = readAt(BYTES, bounded, at);
    if (bytes === undefined) return undefined;
    signatures.set(label, Buffer.from(bytes[1] ?? '', 'base64'));
    return at + bytes[0].length;
  });
  return signatures;
}

/** Calls `read` with each member of a dictionary (RFC 8941); it returns where the member ends. Returns whether all could be read. */
function eachMember(text: string, read: (label: string, at: number) => number | undefined): boolean {
  for (let at = 0; at < text.length; ) {
    const label = readAt(LABEL, text, at);
    const end = label && read(label[1] ?? '', at + label[0].length);
    const next = end === undefined ? undefined : readAt(NEXT, text, end);
    if (end === undefined || next === undefined) return false;
    at = end + next[0].length;
  }
  return true;
}

function readParameters(text: string, from: number): [end: number, values: ReadonlyMap<string, string>] {
  const values = new Map<string, string>();
  for (let at = from; ; ) {
    const parameter = readAt(PARAMETER, text, at);
    if (parameter === undefined) return [at, values];
    const [whole, name = '', quoted, number] = parameter;
    values.set(name, quoted ?? number ?? '');
    at += whole.length;
  }
}

function readAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** The provider did not answer, or not as it should. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  readonly problem: 'unreachable' | 'misconfigured' | 'refused';

  constructor(problem: ProviderFault['problem'], message: string) {
    super(message);
    this.problem = problem;
  }
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** A JSON object from the provider. The settings name the provider, so its address may be a private one. */
export async function fetchJson(
  url: string,
  request: {
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { origin, pathname } = new URL(url);
  const place = origin + pathname;
  let status: number;
  let text: string;
  try {
    const answer = await fetch(url, {
      ...request,
      headers: { accept: 'application/json', ...request.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = answer.status;
    text = await limitedText(answer);
  } catch (fault) {
    if (fault instanceof ProviderFault) throw fault;
    const { cause } = fault as { readonly cause?: { readonly code?: string } };
    throw new ProviderFault(
      'unreachable',
      `${place} does not answer (${cause?.code ?? (fault as Error).name}).`,
    );
  }
  const json = parsed(text);
  if (status >= 500) throw new ProviderFault('unreachable', `${place} answered ${status}.`);
  if (status >= 300) {
    const error = typeof json?.error === 'string' ? `: ${json.error.slice(0, 100)}` : '';
    // A wrong secret or client is the operator’s to mend, a code that was used already is not.
    const problem = json?.error === 'invalid_grant' ? 'refused' : 'misconfigured';
    throw new ProviderFault(problem, `${place} answered ${status}${error}.`);
  }
  if (json === undefined)
    throw new ProviderFault('misconfigured', `${place} did not answer with a JSON object.`);
  return json;
}

async function limitedText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new ProviderFault('misconfigured', 'The provider’s answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

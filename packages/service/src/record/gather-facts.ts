import type { CheckName } from '@postern/contract';
import { automationIn, type CheckInput, type Finding, hasInput } from '../checks/check.ts';
import { type CheckRuns, type Checks, runOf } from '../checks/run-checks.ts';
import type { FactsForRules } from '../model/facts-for-rules.ts';
import type { Inbox } from '../model/inbox.ts';
import { isReservedForInstitutions } from '../model/institution.ts';
import { maskIp } from '../model/ip-address.ts';
import { localPartShape } from '../model/local-part-shape.ts';
import type { MailFacts } from '../model/mail-facts.ts';
import type { Traits } from '../store/submission.ts';

/** What the log keeps of a request: in columns of their own, and for rules alone. */
interface GatheredFacts {
  readonly forRules: FactsForRules;
  readonly traits: Pick<Traits, 'sharesNetwork' | 'hosting' | 'institution'>;
  readonly signals: readonly string[];
  /** Of the local part, see `localPartShape`. */
  readonly shape: string | undefined;
  readonly maskedIp: string | null;
  readonly country: string | undefined;
  readonly asn: number | undefined;
}

/** Unrelated people share these by design. */
const SHARED_BY_DESIGN: readonly string[] = ['private', 'relay', 'corporate'];
const SERVERS: readonly string[] = ['hosting', 'vpn', 'proxy', 'tor'];

interface GatheredFrom {
  readonly runs: CheckRuns;
  readonly input: CheckInput;
  readonly event: string;
  readonly agent?: { readonly operator: string; readonly verified: boolean } | undefined;
}

/** What rules look at and the log keeps. */
export function gatherFacts(
  checks: Checks,
  { runs, input, event, agent }: GatheredFrom,
  inbox: Inbox,
  mail: MailFacts,
): GatheredFacts {
  const ip = (foundBy(checks, runs, input, 'ip')?.metadata ?? {}) as IpMetadata;
  const disposable = foundBy(checks, runs, input, 'disposable');
  const signals: string[] = [];
  for (const { finding } of runs) if (finding.signals !== undefined) signals.push(...finding.signals);
  const forRules: FactsForRules = {
    role: foundBy(checks, runs, input, 'roleEmail')?.signals?.includes('role_email') ?? false,
    tagged: inbox.kind === 'tag',
    relay: inbox.kind === 'relay',
    automated: isAutomated(runs, input),
    disposable: disposable?.result === 'failed',
    ipKind: ip.kind ?? '',
    operator: ip.network ?? '',
    mailKind: mail.kind,
    mailHost: mail.host,
    event,
    agentOperator: agent?.operator ?? '',
    agentVerified: agent?.verified ?? false,
  };
  return {
    forRules,
    traits: {
      sharesNetwork: SHARED_BY_DESIGN.includes(ip.kind ?? ''),
      hosting: SERVERS.includes(ip.kind ?? ''),
      institution:
        disposable?.metadata?.source === 'allow' || isReservedForInstitutions(input.address.asciiDomain),
    },
    signals,
    shape: input.address.quoted ? undefined : localPartShape(input.address.local),
    maskedIp: input.ip === undefined ? null : maskIp(input.ip),
    country: ip.country,
    asn: ip.asn,
  };
}

/** The device check needs a fingerprint, which a script seldom sends; the headers are enough to tell. */
function isAutomated(runs: CheckRuns, input: CheckInput): boolean {
  const run = runOf(runs, 'device');
  if (run !== undefined) return run.finding.signals?.includes('automated_browser') ?? false;
  return automationIn(input) !== undefined;
}

interface IpMetadata {
  readonly kind?: string;
  readonly country?: string;
  readonly asn?: number;
  readonly network?: string;
}

/**
 * What the check found. A rule looks at it even if the request’s `validations` left the check out, as far as that can be
 * told without waiting for DNS.
 */
function foundBy(
  checks: Checks,
  runs: CheckRuns,
  input: CheckInput,
  name: CheckName & ('ip' | 'roleEmail' | 'disposable'),
): Finding | undefined {
  const run = runOf(runs, name);
  if (run !== undefined) return run.finding;
  const found = hasInput(checks[name], input) ? checks[name].inspect(input) : undefined;
  return found instanceof Promise ? undefined : found;
}

import {
  COMPANY_PROBLEMS,
  COMPANY_SIGN_IN_PATH,
  type CompanyProblem,
  DASHBOARD_AUTH,
} from '@postern/contract/dashboard';
import type { Log } from '../../log.ts';
import type { RoleRule } from '../../model/company-roles.ts';
import { maskedAddress } from '../../model/ip-address.ts';
import { sameSecret } from '../../model/same-secret.ts';
import { type Administration, audit } from '../../operations/administration.ts';
import {
  admitCompanyMember,
  type CompanyRefusal,
  endCompanySessions,
} from '../../operations/company-accounts.ts';
import { type DashboardAnswer, Refused, type RequestFacts } from '../../operations/operation.ts';
import type { MemberRow } from '../../store/tables/member-row.ts';
import type { Attempts } from '../sign-in-throttle.ts';
import { type CompanyCookie, FLOW_LIFETIME_MS } from './company-cookie.ts';
import { type CompanyProvider, CompanySignInFailed, type SignInFlow } from './company-provider.ts';
import type { SignInLibrary } from './sign-in-library.ts';

export interface CompanySignInParts {
  readonly issuer: string;
  readonly roles: readonly RoleRule[];
  /** The library for tokens is loaded with the first sign-in. */
  readonly provider: () => Promise<CompanyProvider>;
  readonly cookie: CompanyCookie;
  readonly attempts: Pick<Attempts, 'fromProvider' | 'forgiveProvider'>;
  readonly library: () => Promise<SignInLibrary>;
  readonly admin: Omit<Administration, 'actor'>;
  readonly log: Log;
}

export interface CompanySignIn {
  /** Sends the person to the provider’s page. */
  begin(facts: RequestFacts): Promise<DashboardAnswer>;
  /** The person is back with a code. */
  finish(query: Readonly<Record<string, unknown>>, facts: RequestFacts): Promise<DashboardAnswer>;
  /** The provider says that a person’s sessions end. */
  logOut(logoutToken: string | null, facts: RequestFacts): Promise<DashboardAnswer>;
}

export function createCompanySignIn(parts: CompanySignInParts): CompanySignIn {
  const redirectUri = ({ base }: RequestFacts) => `${base}${DASHBOARD_AUTH}${COMPANY_SIGN_IN_PATH}/callback`;
  const problemOf = (fault: unknown): CompanyProblem => {
    if (fault instanceof Refused && fault.status === 429) return 'too-many';
    if (!(fault instanceof CompanySignInFailed)) throw fault;
    parts.log.warn({ part: 'company sign-in', problem: fault.problem }, fault.message);
    return fault.problem;
  };
  const explain = (fault: unknown) =>
    redirectTo(`/dashboard/sign-in?problem=${problemOf(fault)}`, [parts.cookie.end]);
  /** Only what fails is counted: an office, or the provider itself, comes from one address. */
  const counted = async <T>({ clientAddress, connectionAddress }: RequestFacts, work: () => Promise<T>) => {
    parts.attempts.fromProvider(clientAddress, connectionAddress);
    const result = await work();
    parts.attempts.forgiveProvider(clientAddress, connectionAddress);
    return result;
  };
  return {
    async begin(facts) {
      try {
        const { flow, cookie } = parts.cookie.begin();
        const url = await (await parts.provider()).begin(flow, redirectUri(facts));
        return redirectTo(url, [cookie]);
      } catch (fault) {
        return explain(fault);
      }
    },
    async finish(query, facts) {
      try {
        const member = await counted(facts, () => admitted(parts, query, facts, redirectUri(facts)));
        const library = await parts.library();
        const cookies = await library.beginSession(member.id, { company: true, userAgent: facts.userAgent });
        return redirectTo('/dashboard/', [...cookies, parts.cookie.end]);
      } catch (fault) {
        return explain(fault);
      }
    },
    async logOut(logoutToken, facts) {
      try {
        const provider = await parts.provider();
        const subject = await counted(facts, () => provider.endedSubject(logoutToken));
        await endCompanySessions({ ...parts.admin, actor: 'anyone' }, parts.issuer, subject);
        return { status: 200, body: {} };
      } catch (fault) {
        const problem = problemOf(fault);
        const status = problem === 'too-many' ? 429 : problem === 'unreachable' ? 503 : 400;
        return { status, body: { error: COMPANY_PROBLEMS[problem] } };
      }
    },
  };
}

async function admitted(
  parts: CompanySignInParts,
  query: Readonly<Record<string, unknown>>,
  facts: RequestFacts,
  redirectUri: string,
): Promise<MemberRow> {
  const { code, flow } = await readReturn(parts, query, facts);
  const claims = await (await parts.provider()).finish(code, flow, redirectUri);
  const { issuer, roles } = parts;
  const member = await admitCompanyMember({ ...parts.admin, actor: 'anyone' }, issuer, roles, claims);
  const via = { address: maskedAddress(facts.clientAddress) };
  if (typeof member === 'string') {
    const detail = { by: 'company', problem: member, issuer };
    await audit({ ...parts.admin, actor: 'anyone', via }, 'member.sign-in-failed', null, detail);
    throw refusal(member, claims.sub);
  }
  await audit({ ...parts.admin, actor: member.id, via }, 'member.sign-in', null, { by: 'company' });
  return member;
}

async function readReturn(
  { cookie, admin, issuer }: CompanySignInParts,
  query: Readonly<Record<string, unknown>>,
  facts: RequestFacts,
): Promise<{ readonly code: string; readonly flow: SignInFlow }> {
  const flow = cookie.find(facts.cookie);
  const { code, state, error, iss } = query;
  if (flow === undefined || typeof state !== 'string' || !sameSecret(state, flow.state))
    throw new CompanySignInFailed('expired', 'No sign-in of this browser has that state.');
  const tries = await admin.store.counters.count(`company:${flow.state}`, FLOW_LIFETIME_MS, admin.now());
  if (tries.count !== 1) throw new CompanySignInFailed('expired', 'The sign-in was finished already.');
  // RFC 9207: a provider that names itself must be the one that the person was sent to.
  if (iss !== undefined && iss !== issuer)
    throw new CompanySignInFailed('invalid', 'The answer comes from another issuer (iss).');
  if (typeof error === 'string')
    throw new CompanySignInFailed('refused', `The provider refused: ${JSON.stringify(error.slice(0, 100))}.`);
  if (typeof code !== 'string' || code === '')
    throw new CompanySignInFailed('refused', 'The provider sent neither a code nor an error.');
  return { code, flow };
}

const REFUSALS: Readonly<Record<CompanyRefusal, string>> = {
  'no-role': 'no claim matches POSTERN_OIDC_ROLES',
  'no-address': 'there is no email claim; POSTERN_OIDC_SCOPES may need email',
  'address-taken':
    'an account has that address, and it is not verified on both sides (email_verified, postern user verify)',
};

function refusal(problem: CompanyRefusal, subject: string): CompanySignInFailed {
  return new CompanySignInFailed(
    problem,
    `Subject ${JSON.stringify(subject.slice(0, 100))}: ${REFUSALS[problem]}.`,
  );
}

function redirectTo(url: string, cookies: readonly string[]): DashboardAnswer {
  return { status: 302, body: undefined, headers: { Location: url }, cookies };
}

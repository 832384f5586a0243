import { CHECK_NAMES } from '@postern/contract';
import type { DomainChecks } from '@postern/contract/dashboard';
import { createCheckInput } from '../checks/check-input.ts';
import { runChecks } from '../checks/run-checks.ts';
import { checkResults } from '../decision/check-results.ts';
import type { DomainList } from '../lookup/domain-list.ts';
import { domainClass } from '../model/domain-class.ts';
import { readDomain } from '../model/list-value.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { InvalidInput } from './administration.ts';
import { findProject } from './change-project.ts';
import { type DashboardCall, type DashboardHandlers, memberOf, ok } from './operation.ts';
import type { PlaygroundParts } from './playground.ts';

export interface DomainParts
  extends Pick<PlaygroundParts, 'limitMember' | 'checks' | 'mailRoute' | 'runOptions'> {
  readonly domainList: () => DomainList;
}

/** The checks whose result depends only on the domain, given a harmless local part. */
const DOMAIN_CHECKS = CHECK_NAMES.filter((name) => ['syntax', 'disposable', 'mx'].includes(name));
/** A neutral local part that passes every check. */
const PLACEHOLDER_LOCAL_PART = 'someone';

export function domainRoutes(parts: DomainParts) {
  return {
    'GET /projects/:id/domains/:domain/checks': async (call) => ok(await domainChecks(parts, call)),
  } satisfies Partial<DashboardHandlers>;
}

function domainOf(call: DashboardCall<'domain'>): string {
  const domain = readDomain(call.params.domain);
  if (domain === undefined)
    throw new InvalidInput('domain', 'This is not a domain. Write it as in example.com.');
  return domain;
}

/** What the checks find now, without the project’s own lists, which the page shows separately. */
async function domainChecks(parts: DomainParts, call: DashboardCall<'id' | 'domain'>): Promise<DomainChecks> {
  parts.limitMember(memberOf(call).id);
  const domain = domainOf(call);
  const { policy } = await findProject(call.admin, call.params.id);
  const address = parseEmailAddress(`${PLACEHOLDER_LOCAL_PART}@${domain}`);
  if (address === undefined)
    throw new InvalidInput('domain', 'No email address can have this domain, so there is nothing to check.');
  const project = { policy };
  const input = createCheckInput({ address, project, now: call.admin.now() }, parts.mailRoute);
  const runs = await runChecks(parts.checks, DOMAIN_CHECKS, input, parts.runOptions);
  const checks = checkResults(runs);
  const { source, matched } = checks.disposable?.metadata ?? {};
  const list = parts.domainList();
  return {
    domain,
    domainClass: domainClass(
      domain,
      runs.flatMap(({ finding }) => finding.signals ?? []),
    ),
    checks,
    listedBy: source === 'list' && typeof matched === 'string' ? [...list.listedBy(matched)] : [],
    sources: list.sources.length,
  };
}

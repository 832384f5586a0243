import { CHECK_NAMES } from '@postern/contract';
import type { DomainChecks, DomainView } from '@postern/contract/dashboard';
import { InvalidInput } from '../administration/administration.ts';
import { findProject } from '../administration/projects.ts';
import { createCheckInput } from '../checks/check-input.ts';
import { runChecks } from '../checks/run-checks.ts';
import { checkResults } from '../decision/check-results.ts';
import type { DomainList } from '../lookup/domain-list.ts';
import { domainClass } from '../model/domain-class.ts';
import { readDomain } from '../model/list-value.ts';
import { isMailProvider } from '../model/mail-providers.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { listedEntries } from './listed-entries.ts';
import { type DashboardCall, type DashboardHandlers, memberOf, ok, type RouteCall } from './operation.ts';
import type { PlaygroundParts } from './playground.ts';
import { readableDomain } from './readable-domain.ts';
import { countedFigures } from './share-figures.ts';
import { spanOf } from './time-span.ts';
import { validationRow } from './validation-row.ts';
import { PAGE_BUDGET_MS, search } from './validations.ts';

export interface DomainParts
  extends Pick<PlaygroundParts, 'limitMember' | 'checks' | 'mailRoute' | 'runOptions'> {
  readonly domainList: () => DomainList;
}

const ROWS_SHOWN = 50;
/** The checks whose result depends only on the domain, given a harmless local part. */
const DOMAIN_CHECKS = CHECK_NAMES.filter((name) => ['syntax', 'disposable', 'mx'].includes(name));
/** A neutral local part that passes every check. */
const PLACEHOLDER_LOCAL_PART = 'someone';

/** One domain: how often it came, what the lists say about it, and what the checks find. */
export function domainRoutes(parts: DomainParts) {
  return {
    'GET /projects/:id/domains/:domain': async (call) => ok(await domainView(call)),
    'GET /projects/:id/domains/:domain/checks': async (call) => ok(await domainChecks(parts, call)),
  } satisfies Partial<DashboardHandlers>;
}

function domainOf(call: DashboardCall<'domain'>): string {
  const domain = readDomain(call.params.domain);
  if (domain === undefined)
    throw new InvalidInput('domain', 'This is not a domain. Write it as in example.com.');
  return domain;
}

async function domainView(call: RouteCall<'GET /projects/:id/domains/:domain'>): Promise<DomainView> {
  const { store, now } = call.admin;
  const domain = domainOf(call);
  const project = await findProject(call.admin, call.params.id);
  const span = spanOf(call, now());
  const { from, to } = span;
  const word = `domain:${domain}`;
  const [figures, found] = await Promise.all([
    countedFigures(
      store.statistics.read(project.id, span.previous.from, to),
      span,
      'domain',
      (each) => each === word,
    ),
    search(store.log, project.id, { domain, mode: 'live', from, to }, ROWS_SHOWN, null, now, PAGE_BUDGET_MS),
  ]);
  return {
    domain,
    readable: readableDomain(domain),
    mailProvider: isMailProvider(domain),
    figures,
    validations: found.rows.map(validationRow),
    more: found.next !== null,
    listed: listedEntries(project, (value) => concerns(value, domain)),
  };
}

/** Whether a list entry is this domain, a parent of it, or an address there. */
function concerns(value: string, domain: string): boolean {
  return value === domain || domain.endsWith(`.${value}`) || value.endsWith(`@${domain}`);
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

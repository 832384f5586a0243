import { CHECK_NAMES } from '@postern/contract';
import type { DomainChecks } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { domainChecksQuery } from '../../api/place-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { DOMAIN_CLASS_NAMES } from '../../components/domain-class-names.ts';
import { Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { CheckExplained } from '../validations/check-explained.tsx';
import { byImportance } from '../validations/check-texts.ts';
import { mailHosts } from './mail-hosts.ts';

/** What the checks find about the domain at this moment. It is loaded apart, because it can wait for DNS. */
export function DomainFindings({ projectId, domain }: { projectId: string; domain: string }) {
  const checks = useQuery(domainChecksQuery(projectId, domain));
  return (
    <Section title="What the checks say now" lead="Without the project’s own lists.">
      <Loaded query={checks} pending={<SkeletonRows rows={5} />}>
        {(data) => <Findings data={data} />}
      </Loaded>
    </Section>
  );
}

function Findings({ data }: { data: DomainChecks }) {
  const { policy } = useProject();
  const results = CHECK_NAMES.flatMap((name) => {
    const result = data.checks[name];
    return result === undefined ? [] : [{ name, result }];
  }).sort((one, other) => byImportance(one.result, other.result));
  const facts: [string, ReactNode][] = [
    ['Type', DOMAIN_CLASS_NAMES[data.domainClass]],
    ['Listed as disposable', listedText(data)],
    ['Mail hosts', mailHosts(data.checks.mx)],
  ];
  return (
    <div className="grid gap-4">
      <dl className="grid gap-x-5 sm:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)] sm:gap-y-1.5 text-[0.9333rem]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="wrap-anywhere max-sm:mb-2">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-2">
        {results.map(({ name, result }) => (
          <CheckExplained key={name} name={name} result={result} action={policy.actions[name]} />
        ))}
      </div>
    </div>
  );
}

function listedText({ listedBy, sources, checks }: DomainChecks): string {
  if (listedBy.length > 0) {
    const names = listedBy.map(({ name, date }) => `${name} (${date})`).join(', ');
    return `by ${listedBy.length} of ${sources} sources: ${names}`;
  }
  return checks.disposable?.pass === false
    ? `by none of ${sources} sources; its mail hosts or its name gave it away`
    : `by none of ${sources} sources`;
}

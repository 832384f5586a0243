import type { SharedThing, ValidationDetail } from '@postern/contract/dashboard';
import { count, plural } from './format.ts';
import { hasPage, ThingLink, type ThingName } from './thing-link.tsx';

const NAMES: Readonly<Record<SharedThing['thing'], string>> = {
  device: 'Same device',
  domain: 'Same domain',
  mailHost: 'Same mail host',
  network: 'Same network',
};

/** “Same device: 23 others, 6 known bad”: who else came with what this person came with. */
export function SharedWith({ projectId, detail }: { projectId: string; detail: ValidationDetail }) {
  const shared = detail.shared.filter(({ people }) => people > 0);
  if (shared.length === 0)
    return <p className="text-soft">No one else came with this device, domain or network in 30 days.</p>;
  const { device, domain, maskedIp } = detail;
  const pages: Partial<Record<SharedThing['thing'], ThingName>> = {
    ...(device !== null && { device: { device } }),
    ...(hasPage(domain) && { domain: { domain } }),
    ...(maskedIp !== null && { network: { network: maskedIp } }),
  };
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      {shared.map(({ thing, people, good, bad }) => {
        const of = pages[thing];
        return (
          <div key={thing} className="contents">
            <dt className="text-soft">
              {of ? <ThingLink {...{ projectId, of }}>{NAMES[thing]}</ThingLink> : NAMES[thing]}
            </dt>
            <dd className={bad > good ? 'font-semibold text-block' : undefined}>
              {plural(people, 'other')}, {knownText({ thing, people, good, bad })}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function knownText({ people, good, bad }: SharedThing): string {
  if (bad === people) return 'all known bad';
  if (good === people) return 'all known good';
  return good + bad === 0 ? 'nothing known of them' : `${count(bad)} known bad, ${count(good)} known good`;
}

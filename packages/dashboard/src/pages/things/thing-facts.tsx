import type { ThingView } from '@postern/contract/dashboard';
import type { ReactNode } from 'react';
import { countryName } from '../../components/country-name.ts';
import { count, percent, plural } from '../../components/format.ts';
import { PersonJudged } from '../../components/judgement.tsx';
import { ThingLink } from '../../components/thing-link.tsx';
import { Moment } from '../../components/time.tsx';
import type { TimeRange } from '../../components/time-range.ts';
import { reachText } from '../../components/use-reach.tsx';

const IP_KINDS: Readonly<Record<string, string>> = {
  private: 'private addresses',
  corporate: 'a corporate gateway',
  relay: 'a privacy relay',
  tor: 'Tor exits',
  vpn: 'VPN',
  proxy: 'proxies',
  hosting: 'a hosting network',
  allowed: 'on the allow list',
  blocked: 'on the block list',
};

interface ThingFactsProps {
  projectId: string;
  view: ThingView;
  range: TimeRange;
}

/** What is known: how its people turned out, when it was first seen, and facts of its kind. */
export function ThingFacts({ projectId, view, range }: ThingFactsProps) {
  const { kind, reach, facts, firstSeen, validations } = view;
  const live = validations.filter(({ mode }) => mode === 'live').map(({ id }) => id);
  const rows: [string, ReactNode][] = [
    ...(kind === 'person' ? [] : [['Known', <Known key="known" view={view} />] as [string, ReactNode]]),
    ['First seen', firstSeen === null ? 'not in the log' : <Moment key="first" at={firstSeen} />],
    ...ofKind(projectId, view, range),
  ];
  return (
    <div className="card grid gap-3 p-4 sm:p-5">
      {kind === 'person' && (
        <PersonJudged projectId={projectId} judgement={facts.judgement ?? null} validations={live} />
      )}
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {rows.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-soft">{label}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {facts.mailProvider === true && reach.people > 0 && (
        <p className="text-soft">
          Many unrelated people have addresses here. It says little about any of them.
        </p>
      )}
    </div>
  );
}

/** “In 30 days 423 people came from here: …” and how large that is. */
function Known({ view: { reach } }: { view: ThingView }) {
  const known = reach.good + reach.bad;
  return (
    <>
      {reachText(reach)}
      {reach.people > 0 && ` ${percent(reach.share, 1)} of the project’s sign-ups.`}
      {known > 0 && (
        <strong className={reach.bad > reach.good ? 'text-block' : ''}>
          {' '}
          {count(reach.bad)} of {count(known)} known people are bad.
        </strong>
      )}
    </>
  );
}

function ofKind(projectId: string, { kind, facts }: ThingView, range: TimeRange): [string, ReactNode][] {
  const { operator, country, ipKinds = [], mailHost, seen, spellings = 0 } = facts;
  const link = (of: Record<string, string>, text: string) => (
    <ThingLink key={text} projectId={projectId} of={of} range={range} className="link">
      {text}
    </ThingLink>
  );
  if (kind === 'domain') return mailHost === undefined ? [] : [['Mail host', link({ mailHost }, mailHost)]];
  if (kind === 'mailHost') return [];
  if (kind === 'network' || kind === 'asn') {
    const name = operator?.name ?? (operator ? `AS${operator.asn}` : 'not known');
    const text = operator?.name ? `${name} (AS${operator.asn})` : name;
    return [
      ['Operator', operator && kind === 'network' ? link({ asn: String(operator.asn) }, text) : text],
      ['Country', country ? countryName(country) : 'not known'],
      ['Kind', ipKinds.map((each) => IP_KINDS[each] ?? each).join(', ') || 'ordinary addresses'],
    ];
  }
  if (seen === undefined || seen.times === 0) return spelled(spellings);
  const others = kind === 'device' ? plural(seen.others, 'person', 'people') : plural(seen.others, 'device');
  return [['Seen', `${plural(seen.times, 'time')}, with ${others}`], ...spelled(spellings)];
}

const spelled = (spellings: number): [string, ReactNode][] =>
  spellings > 1 ? [['Spellings', `${count(spellings)} of the address`]] : [];

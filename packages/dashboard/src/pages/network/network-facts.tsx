import type { NetworkView } from '@postern/contract/dashboard';
import type { ReactNode } from 'react';
import { countryName } from '../../components/country-name.ts';
import { NetworkLink } from '../../components/place-links.tsx';
import type { TimeRange } from '../../components/time-range.ts';

const KINDS: Readonly<Record<string, string>> = {
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

interface NetworkFactsProps {
  projectId: string;
  view: NetworkView;
  range: TimeRange;
}

/** The operator, its country, and what kind of addresses they are. */
export function NetworkFacts({ projectId, view, range }: NetworkFactsProps) {
  const { network, asn, name, country, kinds } = view;
  // The kinds come from rows of the log.
  const ordinary = view.validations.length === 0 ? 'not known' : 'ordinary addresses';
  const facts: [string, ReactNode][] = [
    ['Operator', <Operator key="operator" {...{ projectId, asn, name, range }} linked={network !== null} />],
    ['Country', country === null ? 'not known' : countryName(country)],
    ['Kind', kinds.map((kind) => KINDS[kind] ?? kind).join(', ') || ordinary],
  ];
  return (
    <dl className="card grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 p-4 sm:p-5">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-soft">{label}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface OperatorProps extends Pick<NetworkView, 'asn' | 'name'> {
  projectId: string;
  range: TimeRange;
  linked: boolean;
}

function Operator({ projectId, asn, name, range, linked }: OperatorProps) {
  if (asn === null) return 'not known';
  const text = name === null ? `AS${asn}` : `${name} (AS${asn})`;
  if (!linked) return text;
  return (
    <NetworkLink projectId={projectId} of={{ asn }} range={range} className="link">
      {text}
    </NetworkLink>
  );
}

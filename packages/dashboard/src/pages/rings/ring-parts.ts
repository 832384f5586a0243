import type { RingDetail, RingThingView } from '@postern/contract/dashboard';
import { plural } from '../../components/format.ts';
import type { ListedPart } from '../../components/list-many-dialog.tsx';

/** Domains and networks that many unrelated people have are left out. */
export function listableParts(ring: RingDetail): ListedPart[] {
  const own = (things: readonly RingThingView[]) => things.filter(({ isCommon }) => !isCommon);
  const devices = own(ring.allDevices);
  const domains = own(ring.allDomains);
  const networks = own(ring.allNetworks);
  const people = plural(ring.members.length, 'person', 'people');
  const parts: ListedPart[] = [
    {
      what: 'people',
      label:
        ring.members.length < ring.people
          ? `The first ${people} of ${ring.people}`
          : `${people}, under any spelling of their addresses`,
      covers: `of these ${people}`,
      values: ring.members.map(({ inbox }) => `person:${inbox}`),
    },
    {
      what: 'devices',
      label: plural(devices.length, 'device'),
      covers: `from ${these(devices.length, 'device')}`,
      values: devices.map(({ name }) => `device:${name}`),
    },
    {
      what: 'domains',
      label: `${plural(domains.length, 'domain')}: ${names(domains)}`,
      covers: `at ${names(domains)} and at domains under ${domains.length === 1 ? 'it' : 'them'}`,
      values: domains.map(({ name }) => name),
    },
    {
      what: 'networks',
      label: `${plural(networks.length, 'network')}: ${names(networks)}`,
      covers: `from ${names(networks)}`,
      values: networks.map(({ name }) => name),
    },
  ];
  return parts.filter(({ values }) => values.length > 0);
}

const SOME = 5;

function names(things: readonly RingThingView[]): string {
  const named = things.slice(0, SOME).map(({ name }) => name);
  const left = things.length - named.length;
  return `${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

const these = (many: number, what: string) => (many === 1 ? `this ${what}` : `these ${plural(many, what)}`);

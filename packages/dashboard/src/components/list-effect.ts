import type { ListName } from '@postern/contract/dashboard';

/** What a list’s entry can be about, where pages offer one. */
export type ListedWhat = 'person' | 'device' | 'domain' | 'network' | 'operator' | 'country' | 'entry';

const ANSWERS = { allowList: 'allow', blockList: 'block' } as const;

const COVERS: Readonly<Record<ListedWhat, (name: string) => string>> = {
  person: () => 'every sign-up of this person, under any spelling of the address,',
  device: () => 'every sign-up from this device',
  domain: (name) => `every address at ${name} and at domains under it`,
  network: (name) => `every sign-up from ${name}`,
  operator: (name) => `every sign-up from a network of ${name}`,
  country: (name) => `every sign-up from ${name}`,
  entry: (name) => `every sign-up with ${name}`,
};

/** What holds for every entry that is added. */
export const OTHER_LIST =
  'A more specific entry on the other list still wins. The same entry on the other list is removed.';

/** What the entry will do. `howLong`: “from now on”, “for 7 days”. */
export function listEffect(list: ListName, what: ListedWhat, name: string, howLong: string): string {
  return `${capital(howLong)}, ${COVERS[what](name)} is answered with “${ANSWERS[list]}”, whatever the checks find. ${OTHER_LIST}`;
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Before a large provider’s domain is listed. */
export function providerWarning(domain: string): string {
  return `Many unrelated people have addresses at ${domain}. The entry applies to all of them.`;
}

/** What the entry does, once it is added. */
export function listedText(list: ListName, name: string, until: string): string {
  return `${name} is answered with “${ANSWERS[list]}” ${until}.`;
}

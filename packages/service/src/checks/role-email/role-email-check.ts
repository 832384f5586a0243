import { relayOf } from '../../model/relays.ts';
import type { Check } from '../check.ts';
import { findRole } from './find-role.ts';

/** Fails local parts that stand for a function, not a person. A name that is also a function’s is a person’s. */
export const roleEmailCheck: Check = {
  inspect({ address }) {
    const role = findRole(address.local);
    if (role === undefined || isAliasOfOnePerson(address.asciiDomain)) return { outcome: 'passed' };
    return {
      outcome: 'failed',
      error: 'The address belongs to a function, not to a person',
      signals: ['role_email'],
      metadata: { role },
    };
  },
};

/** Under the subdomain that a relay gives to one account, `shop@` is what its owner calls the address that a shop got. */
function isAliasOfOnePerson(domain: string): boolean {
  const found = relayOf(domain);
  return found?.relay.userSubdomains === true && found.domain !== domain;
}

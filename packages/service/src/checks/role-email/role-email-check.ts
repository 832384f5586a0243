import { relayOf } from '../../model/relays.ts';
import type { Check } from '../check.ts';
import { findRole } from './find-role.ts';

/** Fails local parts that stand for a function, not a person. A word that is also a person’s name passes. */
export const roleEmailCheck: Check = {
  needsDns: false,
  inspect({ address }) {
    const role = findRole(address.local);
    if (role === undefined || isAliasOfOnePerson(address.asciiDomain)) return { result: 'passed' };
    return {
      result: 'failed',
      error: 'The address belongs to a function, not to a person',
      signals: ['role_email'],
      metadata: { role },
    };
  },
};

/** Some relays give each account a subdomain. There, `shop@` is just the name of one alias. */
function isAliasOfOnePerson(domain: string): boolean {
  const found = relayOf(domain);
  return found?.relay.userSubdomains === true && found.domain !== domain;
}

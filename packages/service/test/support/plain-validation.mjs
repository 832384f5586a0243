import { DEFAULT_ACTIONS } from '@postern/contract';
import { NO_FACTS } from '../../dist/model/facts-for-rules.js';

/** Nothing that crowds are counted by. */
export const NO_TRAITS = {
  domain: null,
  mailHost: null,
  sharesNetwork: true,
  mail: 'unknown',
  browser: 'other',
  hosting: false,
  institution: false,
};

/** A validation that passes every check, for processes that load the compiled store. */
export function plainValidation({ inboxHash, deviceHash, requestId, now }) {
  return {
    inboxHash,
    spellingHash: inboxHash,
    deviceHash,
    networkHash: null,
    keyType: 'server',
    traits: NO_TRAITS,
    mistyped: 0,
    now,
    found: [],
    actions: DEFAULT_ACTIONS,
    listing: null,
    simulatedHistory: null,
    idempotency: null,
    log: {
      requestId,
      maskedAddress: 'j***@example.com',
      domain: 'example.com',
      maskedIp: null,
      country: null,
      asn: null,
      shape: null,
      sdkVersion: null,
      checksJson: '{}',
      facts: NO_FACTS,
      latencyMs: 1,
      ran: 'syntax',
      domainClass: 'business',
    },
  };
}

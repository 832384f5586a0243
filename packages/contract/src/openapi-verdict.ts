import { STEP_UP_KINDS } from './challenges.ts';
import { ACTIONS, CHECK_NAMES } from './checks.ts';
import { count, object, oneOf, ref, type Schema, text } from './openapi-schema.ts';
import { VERDICT_TYPE, type VerdictClaims, type VerdictKey } from './verdict.ts';

const verdictKey = object<VerdictKey>(
  {
    kty: { type: 'string', const: 'OKP' },
    crv: { type: 'string', const: 'Ed25519' },
    alg: { type: 'string', const: 'EdDSA' },
    use: { type: 'string', const: 'sig' },
    kid: text('The key’s ID, as verdicts name it in their header.'),
    x: text('The public key, base64url.'),
  },
  ['kty', 'crv', 'alg', 'use', 'kid', 'x'],
  'One public key (RFC 8037).',
);

const verdictClaims = object<VerdictClaims>(
  {
    iss: { type: 'string', const: 'postern' },
    aud: text('The project.'),
    sub: text('SHA-256 of the normalised address (lower case, NFC, A-label domain), base64url.'),
    jti: text('Unique for each answer; accept each once.'),
    requestId: text('`X-Request-Id` of the request. A caller may choose it, so it is not unique.'),
    iat: count('Issued, Unix seconds.'),
    exp: count('Expires, Unix seconds.'),
    recommendation: oneOf(ACTIONS),
    signals: { type: 'array', items: ref('Signal') },
    mode: oneOf(['live', 'test'], '`test` for a sandbox key; refuse it in production.'),
    weakened: { type: 'boolean', const: true, description: 'The request asked for less than the policy.' },
    checks: { type: 'array', items: oneOf(CHECK_NAMES), description: 'The checks that ran.' },
    event: text('What the person was doing, such as `sign_up`.'),
    quiet: {
      type: 'boolean',
      const: true,
      description: 'The project gives pages no reasons, so `signals` is empty.',
    },
    steppedUp: oneOf(STEP_UP_KINDS, 'Only of the verdict of a passed challenge: what the person did.'),
    page: text('What a page’s request carried, sealed: only the service can read it.'),
    without: {
      type: 'array',
      items: oneOf(CHECK_NAMES),
      description: 'Checks of the policy that had no input, such as `device` without a fingerprint.',
    },
  },
  [
    'iss',
    'aud',
    'sub',
    'jti',
    'requestId',
    'iat',
    'exp',
    'recommendation',
    'signals',
    'mode',
    'checks',
    'event',
  ],
  `The claims of \`X-Postern-Verdict\`, a compact JWS with \`alg\` EdDSA and \`typ\` \`${VERDICT_TYPE}\`.`,
);

export const VERDICT_SCHEMAS: Readonly<Record<string, Schema>> = {
  VerdictClaims: verdictClaims,
  VerdictKey: verdictKey,
  VerdictKeySet: {
    type: 'object',
    required: ['keys'],
    properties: { keys: { type: 'array', items: ref('VerdictKey') } },
  },
};

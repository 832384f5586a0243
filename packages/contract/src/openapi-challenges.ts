import {
  CAPTCHA_VENDORS,
  CHALLENGE_TRIES,
  type Challenge,
  type ChallengeRequest,
  type ChallengeResponse,
  STEP_UP_KINDS,
  type WorkParameters,
} from './challenges.ts';
import {
  count,
  json,
  object,
  oneOf,
  parameter,
  ref,
  requestHeader,
  type Schema,
  text,
  whole,
} from './openapi-schema.ts';

const work = object<WorkParameters>(
  {
    algorithm: { type: 'string', const: 'PBKDF2/SHA-256' },
    nonce: text('Hex. The password is the nonce and the counter as four bytes, the highest first.'),
    salt: text('Hex.'),
    cost: count('Iterations.'),
    keyLength: count('Bytes of the derived key.'),
    keyPrefix: text('Hex. The derived key begins with it.'),
    maxCounter: count('No counter above this needs to be tried.'),
  },
  ['algorithm', 'nonce', 'salt', 'cost', 'keyLength', 'keyPrefix', 'maxCounter'],
  'What is to be found: a counter whose derived key has the prefix, as ALTCHA does it.',
);

export const CHALLENGE_SCHEMAS: Readonly<Record<string, Schema>> = {
  WorkParameters: work,
  Challenge: object<Challenge>(
    {
      id: text('For the path of the proof.'),
      kind: oneOf(
        STEP_UP_KINDS,
        '`code`: a mailed code. `work`: proof of work. `vendor`: the CAPTCHA of the site’s own vendor.',
      ),
      expiresAt: { type: 'string', format: 'date-time', description: 'Ten minutes after the validation.' },
      work: ref('WorkParameters'),
      vendor: whole({ name: oneOf(CAPTCHA_VENDORS), siteKey: text('For the vendor’s widget.') }),
      language: text('The language of the texts.'),
      texts: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'What a form says to the person.',
      },
    },
    ['id', 'kind', 'expiresAt', 'language', 'texts'],
    'Only of a flag: what the person can do to be allowed after all.',
  ),
  ChallengeRequest: object<ChallengeRequest>(
    {
      proof: text(
        '`code`: the six digits. `work`: `<counter>:<derived key in hex>`. `vendor`: the widget’s token.',
      ),
      resend: { type: 'boolean', const: true, description: 'Instead of a proof: mail the code again.' },
      email: text('With `resend`: the address of the validation, which is not stored.'),
      locale: text('With `resend`: the language of the mail.'),
    },
    [],
    'A proof, or a request to mail the code again.',
  ),
  ChallengeResponse: {
    oneOf: [
      object<Extract<ChallengeResponse, { passed: true }>>(
        {
          passed: { type: 'boolean', const: true },
          recommendation: { type: 'string', const: 'allow' },
        },
        ['passed', 'recommendation'],
        'The person is allowed. `X-Postern-Verdict` says so to your backend.',
      ),
      object<Extract<ChallengeResponse, { passed: false }>>(
        {
          passed: { type: 'boolean', const: false },
          triesLeft: count(`How many more proofs are looked at, of ${CHALLENGE_TRIES}.`),
        },
        ['passed', 'triesLeft'],
        'Wrong.',
      ),
      object<Extract<ChallengeResponse, { sent: boolean }>>(
        { sent: { type: 'boolean', description: '`false`: no more codes for now.' } },
        ['sent'],
        'The answer to `resend`.',
      ),
    ],
  },
};

/** `POST /v1/challenges/{id}`. `responses` are the errors that can answer it. */
export function challengeOperation(headers: Schema, responses: Readonly<Record<string, Schema>>): Schema {
  return {
    post: {
      operationId: 'proveChallenge',
      tags: ['Validation'],
      summary: 'Prove what a flag asked for',
      description:
        'With the project and the type of key that got the challenge. Counts against the rate like a validation, and uses no quota. A challenge is passed once.',
      parameters: [
        requestHeader('X-Project-Id', true),
        requestHeader('X-Request-Id', false),
        parameter('id', 'path'),
      ],
      requestBody: { required: true, content: json(ref('ChallengeRequest')) },
      responses: {
        '200': { description: 'Looked at.', headers, content: json(ref('ChallengeResponse')) },
        ...responses,
      },
    },
  };
}

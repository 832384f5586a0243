import {
  type ClaimRequest,
  type ClaimResponse,
  type ClaimsResponse,
  type ClaimTrace,
  MAX_TRACES,
} from './claims.ts';
import { HOOK_FORMAT_NAMES, HOOK_FORMATS } from './hooks.ts';
import {
  count,
  type Fields,
  json,
  object,
  oneOf,
  optional,
  parameter,
  ref,
  requestHeader,
  type Schema,
  text,
  whole,
} from './openapi-schema.ts';
import {
  MAX_OUTCOME_REASON,
  MAX_OUTCOMES,
  OUTCOMES,
  type OutcomeRequest,
  type OutcomesResponse,
} from './outcomes.ts';
import { MAX_FINGERPRINT_LENGTH } from './validate-request.ts';

const outcomeFields: Fields<OutcomeRequest> = {
  requestId: optional('`X-Request-Id` of the person’s validation.'),
  email: optional('The person’s address. Hashed on arrival, never stored.'),
  outcome: oneOf(
    OUTCOMES,
    '`accepted`: signed up. `good`: proved to be a real customer. `bad`: fraud, spam, chargeback or bounce.',
  ),
  reason: optional('In your own words.', { maxLength: MAX_OUTCOME_REASON }),
  at: optional('When it happened. Default: now.', { format: 'date-time' }),
};

const responseFields: Fields<OutcomesResponse> = {
  recorded: count('How many belong to somebody the project knows.'),
  unknown: {
    type: 'array',
    items: { type: 'integer', minimum: 0 },
    description: 'The indexes of those that belong to nobody it knows.',
  },
};

/** The schemas of `POST /v1/outcomes`. */
export const OUTCOME_SCHEMAS: Readonly<Record<string, Schema>> = {
  Outcome: {
    type: 'object',
    description: 'How one person’s sign-up turned out. Named by `requestId` or by `email`.',
    required: ['outcome'],
    properties: outcomeFields,
  },
  OutcomesRequest: whole({
    outcomes: { type: 'array', minItems: 1, maxItems: MAX_OUTCOMES, items: ref('Outcome') },
  }),
  OutcomesResponse: whole(responseFields),
};

const WORD = { type: 'string', pattern: '^[a-z0-9_]{1,32}$' };
const MOMENT = { type: 'string', format: 'date-time' };

export const CLAIM_SCHEMAS: Readonly<Record<string, Schema>> = {
  ClaimTrace: object<ClaimTrace>(
    {
      kind: { ...WORD, description: 'Such as `card` or `phone`.' },
      value: text('Hashed on arrival, never stored.'),
    },
    ['kind', 'value'],
    'Something that a person leaves besides the address.',
  ),
  ClaimRequest: object<ClaimRequest>(
    {
      claim: { ...WORD, description: 'What is claimed, such as `trial`.' },
      email: text('The person’s address. Hashed on arrival, shown masked.'),
      fingerprintHash: optional('Device fingerprint hash.', { maxLength: MAX_FINGERPRINT_LENGTH }),
      ip: optional('The person’s IP address. No ground for a refusal.'),
      traces: { type: ['array', 'null'], maxItems: MAX_TRACES, items: ref('ClaimTrace') },
      claimant: optional('Your own ID of the account. The same one gets its own grant again.'),
      dryRun: { type: ['boolean', 'null'], description: 'Only tells what the answer would be.' },
    },
    ['claim', 'email'],
    'One claim of one person.',
  ),
  ClaimResponse: object<ClaimResponse>(
    {
      granted: { type: 'boolean', description: 'Whether the person has the claim now.' },
      id: text('Of the grant, or of this refusal. Empty for a dry run that would be granted.'),
      because: {
        type: 'array',
        items: { type: 'string' },
        description: 'Why it is refused: `inbox`, `device` or `trace:<kind>`.',
      },
      since: { ...MOMENT, description: 'When the grant was made that this is, or that stands in the way.' },
    },
    ['granted', 'id', 'because', 'since'],
    'The answer to a claim.',
  ),
  ClaimsResponse: object<ClaimsResponse>(
    {
      claims: {
        type: 'array',
        items: whole({ id: text('Of the grant.'), claim: WORD, since: MOMENT }),
      },
    },
    ['claims'],
    'What a claimant has.',
  ),
};
const RELEASED = whole({ id: text('Of the grant.'), released: { type: 'boolean' } });

/** What only backends call: outcomes and claims. `responses` are the errors that they share with a validation. */
export function backendOperations(headers: Schema, responses: Readonly<Record<string, Schema>>) {
  const operation = (operationId: string, summary: string, schema: Schema, more: readonly Schema[] = []) => ({
    operationId,
    tags: ['Validation'],
    summary,
    description:
      'Server keys only. Uses no quota; outcomes and claims share an hourly rate of their own. If one outcome is wrong, none is recorded.',
    parameters: [requestHeader('X-Project-Id', true), ...more],
    responses: { '200': { description: 'Done.', headers, content: json(schema) }, ...responses },
  });
  const body = (name: string) => ({ requestBody: { required: true, content: json(ref(name)) } });
  const report = 'Report how sign-ups turned out';
  const take = 'Ask for and take something that each person gets once';
  const find = 'The claims that a claimant has';
  return {
    outcomes: {
      post: {
        ...operation('reportOutcomes', report, ref('OutcomesResponse')),
        ...body('OutcomesRequest'),
      },
    },
    claims: {
      post: { ...operation('claim', take, ref('ClaimResponse')), ...body('ClaimRequest') },
      get: operation('findClaims', find, ref('ClaimsResponse'), [parameter('claimant', 'query')]),
    },
    claim: { delete: operation('releaseClaim', 'Give a claim back', RELEASED, [parameter('id', 'path')]) },
  };
}

/** `POST /v1/hooks/{format}/{id}`. `responses` are the errors that can answer it. */
export function hookOperation(headers: Schema, responses: Readonly<Record<string, Schema>>): Schema {
  const formats = HOOK_FORMAT_NAMES.map((name) => {
    const { server, proof, refusal } = HOOK_FORMATS[name];
    return `\`${name}\`: ${server}. Proof: ${proof}. Refusal: ${refusal}.`;
  });
  const content = json({ type: 'object', additionalProperties: true });
  return {
    post: {
      operationId: 'callHook',
      tags: ['Validation'],
      summary: 'Asked by a sign-in server, in its own language, before it creates a user',
      description: `Counted, judged and logged as a server key’s validation. ${formats.join(' ')}`,
      security: [],
      parameters: [parameter('format', 'path', oneOf(HOOK_FORMAT_NAMES)), parameter('id', 'path')],
      requestBody: { required: true, content },
      responses: {
        '200': {
          description:
            'Allowed, or refused as the format says it. When Postern itself is the trouble, people are allowed.',
          headers,
          content,
        },
        ...responses,
      },
    },
  };
}

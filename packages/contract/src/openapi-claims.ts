import { type ClaimRequest, type ClaimResponse, type ClaimTrace, MAX_TRACES } from './claims.ts';
import { object, optional, ref, requestHeader, type Schema, text } from './openapi-schema.ts';
import { MAX_FINGERPRINT_LENGTH } from './validate-request.ts';

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
      ip: optional('The person’s IP address.'),
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
};

/** `/v1/claims` and `/v1/claims/{id}`. `responses` are the errors that they share with a validation. */
export function claimOperations(headers: Schema, responses: Readonly<Record<string, Schema>>) {
  const operation = (operationId: string, summary: string, schema: Schema, more: Schema): Schema => ({
    operationId,
    tags: ['Validation'],
    summary,
    description: 'Server keys only. Uses no quota and shares the hourly rate of outcomes.',
    ...more,
    responses: {
      '200': { description: 'Done.', headers, content: { 'application/json': { schema } } },
      ...responses,
    },
  });
  const project = requestHeader('X-Project-Id', true);
  const anywhere = (name: string, place: string): Schema => ({
    name,
    in: place,
    required: true,
    schema: { type: 'string' },
  });
  const body = { required: true, content: { 'application/json': { schema: ref('ClaimRequest') } } };
  return {
    all: {
      post: operation(
        'claim',
        'Ask for and take something that each person gets once',
        ref('ClaimResponse'),
        {
          parameters: [project],
          requestBody: body,
        },
      ),
      get: operation(
        'findClaims',
        'The claims that a claimant has',
        { type: 'object' },
        {
          parameters: [project, anywhere('claimant', 'query')],
        },
      ),
    },
    one: {
      delete: operation(
        'releaseClaim',
        'Give a claim back',
        { type: 'object' },
        {
          parameters: [project, anywhere('id', 'path')],
        },
      ),
    },
  };
}

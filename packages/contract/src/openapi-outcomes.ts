import { count, type Fields, oneOf, optional, ref, requestHeader, type Schema } from './openapi-schema.ts';
import {
  MAX_OUTCOME_REASON,
  MAX_OUTCOMES,
  OUTCOMES,
  type OutcomeRequest,
  type OutcomesResponse,
} from './outcomes.ts';

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
  OutcomesRequest: {
    type: 'object',
    required: ['outcomes'],
    properties: {
      outcomes: { type: 'array', minItems: 1, maxItems: MAX_OUTCOMES, items: ref('Outcome') },
    },
  },
  OutcomesResponse: { type: 'object', required: Object.keys(responseFields), properties: responseFields },
};

/** `POST /v1/outcomes`. `responses` are the errors that it shares with a validation. */
export function outcomesOperation(headers: Schema, responses: Readonly<Record<string, Schema>>): Schema {
  const schema = (name: string) => ({ schema: ref(name) });
  return {
    post: {
      operationId: 'reportOutcomes',
      tags: ['Validation'],
      summary: 'Report how sign-ups turned out',
      description:
        'Server keys only. Uses no quota and has an hourly rate of its own. If one outcome is wrong, none is recorded.',
      parameters: [requestHeader('X-Project-Id', true)],
      requestBody: { required: true, content: { 'application/json': schema('OutcomesRequest') } },
      responses: {
        '200': {
          description: 'How many were recorded.',
          headers,
          content: { 'application/json': schema('OutcomesResponse') },
        },
        ...responses,
      },
    },
  };
}

import { CHALLENGES_PATH } from './challenges.ts';
import { CHECK_METADATA, type MetadataField } from './check-metadata.ts';
import { ACTIONS, CHECK_NAMES, DEFAULT_ACTIONS } from './checks.ts';
import { CLAIMS_PATH } from './claims.ts';
import { DISPOSABLE_LIST_PATH } from './disposable-list.ts';
import type { ErrorBody, QuotaFacts, RateFacts } from './errors.ts';
import { REQUEST_EVENTS } from './events.ts';
import { HEADERS, LIMIT_HEADERS, VALIDATE_PATHS } from './headers.ts';
import { HOOKS_PATH } from './hooks.ts';
import { MESSAGES } from './languages/english.ts';
import { LANGUAGE_TAGS } from './languages/language-tags.ts';
import { backendOperations, CLAIM_SCHEMAS, hookOperation, OUTCOME_SCHEMAS } from './openapi-backends.ts';
import { CHALLENGE_SCHEMAS, challengeOperation } from './openapi-challenges.ts';
import { errorResponses, headerRefs, OPTIONAL } from './openapi-errors.ts';
import {
  count,
  type Fields,
  json,
  ms,
  object,
  oneOf,
  optional,
  ref,
  requestHeader,
  type Schema,
  text,
  whole,
} from './openapi-schema.ts';
import { VERDICT_SCHEMAS } from './openapi-verdict.ts';
import { WEBHOOK_SCHEMAS, webhookOperations } from './openapi-webhooks.ts';
import { OUTCOMES_PATH } from './outcomes.ts';
import { SIGNALS } from './signals.ts';
import { MAX_FINGERPRINT_LENGTH, type ValidateRequest } from './validate-request.ts';
import type { CheckResult, ResponseMetadata, ValidateResponse } from './validate-response.ts';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly security: readonly Schema[];
  readonly tags: readonly Schema[];
  readonly paths: Readonly<Record<string, Schema>>;
  readonly webhooks: Readonly<Record<string, Schema>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

const request = object<ValidateRequest>(
  {
    email: text('Address to validate. White space around it is trimmed; it is normalised to lower case.'),
    fingerprintHash: optional('Device fingerprint hash.', { maxLength: MAX_FINGERPRINT_LENGTH }),
    fingerprint: optional('Another name for `fingerprintHash`, which wins when both are sent.', {
      maxLength: MAX_FINGERPRINT_LENGTH,
    }),
    sdkVersion: optional('SDK version identifier; SDKs send it automatically.'),
    ip: optional('Server keys only: the end user’s IP address. Ignored from client keys.', {
      examples: ['203.0.113.7', '2001:db8::7'],
      format: 'ip',
    }),
    userAgent: optional('Server keys only: the end user’s User-Agent. Ignored from client keys.'),
    locale: optional(
      `The language of \`message\`: a tag such as \`de-AT\`, or the person’s \`Accept-Language\` header as it came. English when there are no messages in it. Languages: ${LANGUAGE_TAGS.join(', ')}.`,
    ),
    event: optional(
      `What the person is doing: ${Object.entries(REQUEST_EVENTS)
        .map(([name, meaning]) => `\`${name}\` ${meaning}`)
        .join('; ')}; or another word.`,
      { pattern: '^[a-z_]{1,32}$' },
    ),
    validations: {
      type: ['object', 'null'],
      description: `Which checks run, and the action of each. Absent or empty: the project’s policy, which starts as ${CHECK_NAMES.map((name) => `${name}: ${DEFAULT_ACTIONS[name]}`).join(', ')}.`,
      properties: Object.fromEntries(CHECK_NAMES.map((name) => [name, oneOf(ACTIONS)])),
      additionalProperties: false,
    },
  },
  ['email'],
  'The body of a validation. Unknown fields are ignored.',
);

const checkResult = object<CheckResult>(
  {
    pass: { type: 'boolean', description: 'Whether the check passed.' },
    error: text('Why the check failed; absent when it passed.'),
    latency: ms('Execution time in milliseconds, with fractions.'),
    metadata: { type: 'object', description: 'Check-specific facts.', additionalProperties: true },
  },
  ['pass', 'latency'],
  'What one check found.',
);

const responseMetadata = object<ResponseMetadata>(
  {
    fingerprintHash: optional('The fingerprint that was sent; `null` when none was.'),
    previousSignups: count(
      'Distinct inboxes seen from this device before whose answer was not `block`, at most 200.',
    ),
    totalLatency: ms('Total validation time in milliseconds.'),
  },
  ['fingerprintHash', 'previousSignups', 'totalLatency'],
  'Facts about the validation.',
);

const response = object<ValidateResponse>(
  {
    checks: {
      type: 'object',
      description: 'The checks that ran, by name.',
      properties: Object.fromEntries(CHECK_NAMES.map((name) => [name, ref(checkSchemaName(name))])),
      additionalProperties: false,
    },
    metadata: ref('ResponseMetadata'),
    message: optional(
      'One sentence for the person, when the recommendation is `flag` or `block`; `null` on `allow`. In the language that the request asks for; English by default.',
      {
        examples: Object.values(MESSAGES),
      },
    ),
    recommendation: oneOf(ACTIONS, 'The strongest action among the failed checks.'),
    signals: {
      type: 'array',
      items: ref('Signal'),
      description: 'What was detected. Empty when nothing was.',
    },
    challenge: ref('Challenge'),
  },
  ['checks', 'metadata', 'message', 'recommendation', 'signals'],
  'The answer to a validation. All top-level fields but `challenge` are always present.',
);

const errorFields: Fields<ErrorBody> = { error: text('What is wrong, for a person to read.') };
const quotaFields: Fields<QuotaFacts> = {
  limit: count('Validations that this key may use this month.'),
  used: count('Validations used this month.'),
  remaining: count('Validations left this month.'),
  resetAt: { type: 'string', format: 'date-time', description: 'First instant of next month, in UTC.' },
};
const rateFields: Fields<RateFacts> = {
  limit: count('The limit that applied: the project’s for this key type, or the visitor’s own.'),
  window: { type: 'string', const: '1h', description: 'The length of the sliding window.' },
  retryAfter: count('Seconds after which one more request would be admitted; equal to `Retry-After`.'),
};

function checkSchemaName(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Result`;
}

/** A schema for the result of each check, with what its metadata may hold. */
function checkSchemas(): Record<string, Schema> {
  return Object.fromEntries(
    CHECK_NAMES.map((name) => {
      const fields = Object.entries(CHECK_METADATA[name]).map(
        ([field, { type, items, meaning }]: [string, MetadataField]) => [
          field,
          {
            ...(typeof type === 'string' ? { type } : oneOf(type)),
            ...(items !== undefined && { items: itemSchema(items) }),
            description: meaning,
          },
        ],
      );
      const metadata = { type: 'object', properties: Object.fromEntries(fields) };
      return [
        checkSchemaName(name),
        { allOf: [ref('CheckResult'), { type: 'object', properties: { metadata } }] },
      ];
    }),
  );
}

function itemSchema(fields: NonNullable<MetadataField['items']>): Schema {
  return whole(Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }])));
}

function signalSchema(): Schema {
  return {
    description: 'Identifier of something that was detected.',
    anyOf: Object.entries(SIGNALS).map(([name, { check, meaning }]) => ({
      ...(name.includes('<')
        ? { type: 'string', pattern: `^${name.replace('<N>', '[0-9]+').replace('<id>', '[a-z0-9_]{1,40}')}$` }
        : { type: 'string', const: name }),
      description: check === null ? meaning : `${check}: ${meaning}`,
    })),
  };
}

function validateOperation(path: string): Schema {
  const locked = path !== '/validate';
  return {
    post: {
      operationId: locked ? 'validateV1' : 'validate',
      tags: ['Validation'],
      summary: locked ? 'Validate an email address (API version 1)' : 'Validate an email address',
      description: locked
        ? 'Locked to API version 1, for backward compatibility. Behaves like `/validate`.'
        : 'The current stable version; recommended for new integrations.',
      parameters: [
        requestHeader('X-Project-Id', true),
        requestHeader('Accept-Language', false),
        requestHeader('Prefer', false),
        requestHeader('Idempotency-Key', false),
        requestHeader('X-Request-Id', false),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: ref('ValidateRequest'),
            examples: { address: { value: { email: 'jane.doe@gmail.com' } } },
          },
        },
      },
      responses: {
        '200': {
          description: 'The validation’s result.',
          headers: headerRefs(
            [...LIMIT_HEADERS, 'X-Request-Id'],
            ['Content-Language', 'X-Postern-Verdict', 'Idempotency-Replayed'],
          ),
          content: json(ref('ValidateResponse')),
        },
        ...errorsExcept('410'),
      },
    },
  };
}

function getOperation(
  operationId: string,
  summary: string,
  contentType: string,
  schema: Schema = contentType === 'application/json' ? { type: 'object' } : { type: 'string' },
  { headers, ...more }: { readonly headers?: Schema; readonly [status: string]: Schema | undefined } = {},
): Schema {
  return {
    get: {
      operationId,
      tags: ['Operations'],
      summary,
      security: [],
      responses: {
        '200': { description: summary, ...(headers && { headers }), content: { [contentType]: { schema } } },
        ...more,
        // Generators of clients do not all know ranges such as 4XX.
        '400': { description: 'Error.', content: json(ref('Error')) },
      },
    },
  };
}

function errorsExcept(...codes: readonly string[]): Record<string, Schema> {
  return Object.fromEntries(Object.entries(errorResponses()).filter(([code]) => !codes.includes(code)));
}

const ETAG: Schema = {
  ETag: {
    description: 'Names these bytes, for `If-None-Match`.',
    required: true,
    schema: { type: 'string' },
  },
};

/** The whole interface as OpenAPI 3.1. */
export function openApiDocument(version: string): OpenApiDocument {
  const backends = backendOperations(
    headerRefs([...LIMIT_HEADERS, 'X-Request-Id']),
    errorsExcept('402', '409', '410', '422'),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postern',
      version,
      description:
        'Validates one email address per request and recommends `allow`, `flag` or `block`, with a reason for every check.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Validation', description: 'Validating addresses, and reporting how sign-ups turned out.' },
      { name: 'Operations', description: 'For operators of the service.' },
      { name: 'Webhooks', description: 'What the service sends to the webhooks of a project.' },
    ],
    paths: {
      ...Object.fromEntries(VALIDATE_PATHS.map((path) => [path, validateOperation(path)])),
      [`${CHALLENGES_PATH}/{id}`]: challengeOperation(
        headerRefs([...LIMIT_HEADERS, 'X-Request-Id'], ['X-Postern-Verdict']),
        errorsExcept('402', '422'),
      ),
      [OUTCOMES_PATH]: backends.outcomes,
      [CLAIMS_PATH]: backends.claims,
      [`${CLAIMS_PATH}/{id}`]: backends.claim,
      [`${HOOKS_PATH}/{format}/{id}`]: hookOperation(
        headerRefs(['X-Request-Id'], ['X-Postern-Open']),
        errorsExcept('402', '409', '410', '422', '429'),
      ),
      '/.well-known/jwks.json': getOperation(
        'verdictKeys',
        'Public keys that verdicts are signed with',
        'application/jwk-set+json',
        ref('VerdictKeySet'),
      ),
      [DISPOSABLE_LIST_PATH]: getOperation(
        'disposableList',
        'Throwaway domains as one signed file, for backends that cannot ask',
        'application/octet-stream',
        { type: 'string', format: 'binary' },
        {
          headers: ETAG,
          '304': { description: 'The caller has it, as `If-None-Match` says.', headers: ETAG },
        },
      ),
      '/healthz': getOperation('alive', 'Whether the process is alive', 'application/json'),
      '/readyz': getOperation('ready', 'Whether it can answer, and what is degraded', 'application/json'),
      '/metrics': getOperation('metrics', 'Figures for Prometheus', 'text/plain'),
      '/openapi.json': getOperation('openapi', 'This document', 'application/json'),
    },
    webhooks: webhookOperations(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: HEADERS.Authorization.meaning },
      },
      headers: Object.fromEntries(
        Object.entries(HEADERS)
          .filter(([, row]) => row.on === 'response')
          .flatMap(([name, { meaning }]) =>
            [true, false].map((required) => [
              required ? name : `${name}${OPTIONAL}`,
              { description: meaning, required, schema: { type: 'string' } },
            ]),
          ),
      ),
      schemas: {
        ValidateRequest: request,
        ValidateResponse: response,
        ResponseMetadata: responseMetadata,
        CheckResult: checkResult,
        ...checkSchemas(),
        Signal: signalSchema(),
        ...CHALLENGE_SCHEMAS,
        ...OUTCOME_SCHEMAS,
        ...CLAIM_SCHEMAS,
        ...VERDICT_SCHEMAS,
        ...WEBHOOK_SCHEMAS,
        Error: whole(errorFields),
        QuotaError: whole({ ...errorFields, ...quotaFields }),
        RateError: whole({ ...errorFields, ...rateFields }),
      },
    },
  };
}

import { HOOK_FORMAT_NAMES, HOOK_FORMATS } from './hooks.ts';
import { json, oneOf, parameter, type Schema } from './openapi-schema.ts';

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

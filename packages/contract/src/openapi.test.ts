import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { CHECK_METADATA } from './check-metadata.ts';
import { CHECK_NAMES } from './checks.ts';
import { API_ERRORS } from './errors.ts';
import { MESSAGES } from './languages/english.ts';
import { openApiDocument } from './openapi.ts';
import { SIGNALS } from './signals.ts';
import { WEBHOOK_EVENT_NAMES, WEBHOOK_HEADERS } from './webhooks.ts';

const document = openApiDocument('1.2.3');
const text = JSON.stringify(document);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const config = await createConfig({ extends: ['spec'] });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([]);
  });

  it('has every status and text of the error table', () => {
    const responsesOf = (path: string) =>
      (document.paths[path] as { post: { responses: Record<string, { description: string }> } }).post
        .responses;
    // Only a challenge ends.
    const all = { ...responsesOf('/v1/challenges/{id}'), ...responsesOf('/validate') };
    for (const row of Object.values(API_ERRORS)) expect(all[row.status]?.description).toContain(row.text);
  });

  it('has every signal, message and metadata field', () => {
    for (const name of Object.keys(SIGNALS))
      expect(text).toContain(name.replace('<N>', '[0-9]+').replace('<id>', '[a-z0-9_]{1,40}'));
    for (const message of Object.values(MESSAGES)) expect(text).toContain(JSON.stringify(message));
    for (const name of CHECK_NAMES) {
      for (const field of Object.values(CHECK_METADATA[name]))
        expect(text).toContain(JSON.stringify(field.meaning).slice(1, -1));
    }
  });

  it('has only what generators of clients understand: no ranges of statuses, no arrays without items', () => {
    expect(text).not.toMatch(/"[1-5]XX"/i);
    const untyped: string[] = [];
    JSON.stringify(document, (key, value: unknown) => {
      const isArray =
        typeof value === 'object' && value !== null && 'type' in value && value.type === 'array';
      if (isArray && !('items' in value)) untyped.push(key);
      return value;
    });
    expect(untyped).toEqual([]);
  });

  it('has the body and headers of every webhook', () => {
    expect(Object.keys(document.webhooks)).toEqual(WEBHOOK_EVENT_NAMES);
    for (const name of Object.values(WEBHOOK_HEADERS)) expect(text).toContain(`"name":"${name}"`);
  });

  it('describes both paths alike', () => {
    const shape = (path: string) => {
      const { post } = document.paths[path] as { post: Record<string, unknown> };
      return [post.requestBody, post.responses, post.parameters];
    };
    expect(shape('/v1/validate')).toEqual(shape('/validate'));
  });
});

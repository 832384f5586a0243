import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { addDocumentRoutes } from './documents.ts';

it('without the docs site, /docs is the API reference', async () => {
  const server = fastify();
  addDocumentRoutes(server, '1.2.3', '/nowhere/');
  const answer = await server.inject('/docs');
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('POST /validate');
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  expect((await server.inject('/')).headers.location).toBe('/docs');
  await server.close();
});

import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { addDocumentRoutes, addSecurityText } from './documents.ts';

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

it('security.txt names the operator’s contact and an end in the future, and is absent without one', async () => {
  const server = fastify();
  addSecurityText(server, 'mailto:security@example.com', () => Date.UTC(2026, 0, 1));
  const answer = await server.inject('/.well-known/security.txt');
  expect(answer.body).toBe('Contact: mailto:security@example.com\nExpires: 2026-04-01T00:00:00.000Z\n');
  await server.close();
  const without = fastify();
  addSecurityText(without, undefined, Date.now);
  expect((await without.inject('/.well-known/security.txt')).statusCode).toBe(404);
  await without.close();
});

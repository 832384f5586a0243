import type { ValidateResponse } from '@postern/contract';
import type { ValidationRow } from '@postern/contract/dashboard';
import type { Rule } from '@postern/contract/rules';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type DashboardClient, member } from './dashboard.ts';
import type { ServiceOptions, TestProject, TestService } from './service.ts';
import { type BackEnd, startServiceOn } from './service-on.ts';
import { untilCounted } from './until-counted.ts';

/** A service for the tests of a `describe`, and a new project for each of them. */
export function rulesOn(backEnd: BackEnd, options: ServiceOptions = {}) {
  let service: TestService;
  let admin: DashboardClient;
  let project: TestProject;
  beforeAll(async () => {
    service = await startServiceOn(backEnd, options);
    admin = await member(service, 'admin');
  });
  beforeEach(async () => {
    project = await service.makeProject();
  });
  afterAll(() => service?.close());

  const path = (rest: string) => `/projects/${project.id}${rest}`;
  const ask = async (body: object, requestId?: string): Promise<ValidateResponse> => {
    const headers = requestId === undefined ? {} : { 'x-request-id': requestId };
    return (await untilCounted(() => project.validate(body, headers))).json;
  };
  return {
    get service() {
      return service;
    },
    get admin() {
      return admin;
    },
    get project() {
      return project;
    },
    /** The path of a resource of the project in the dashboard’s API. */
    path,
    ask,
    /** The rules that the answer names. */
    matched: async (body: object) =>
      (await ask(body)).signals.flatMap((signal) => (signal.startsWith('rule_') ? [signal.slice(5)] : [])),
    /** A rule that blocks, unless the fields say otherwise. */
    create: async (fields: object): Promise<Rule> => {
      const answer = await admin.post(path('/rules'), { name: 'A rule', then: 'block', ...fields });
      expect([answer.status, answer.json.error]).toEqual([201, undefined]);
      return answer.json;
    },
    /** A rule that ends soon; later on a machine that is too busy to save it before its end. */
    createEnding: async (fields: object): Promise<Rule & { expiresAt: number }> => {
      for (let ms = 500; ; ms *= 2) {
        const body = { name: 'A rule', then: 'block', ...fields, expiresAt: Date.now() + ms };
        const answer = await admin.post(path('/rules'), body);
        if (answer.status === 201) return answer.json;
        expect([answer.json.field, ms < 60_000]).toEqual(['expiresAt', true]);
      }
    },
    saved: async (): Promise<Rule[]> => (await admin.get(path('/rules'))).json,
    clear: async () => {
      expect((await admin.call('PATCH', path(''), { rules: [] })).status).toBe(200);
    },
    rowOf: async (requestId: string): Promise<ValidationRow> => {
      const { rows } = (await admin.get(path('/validations?limit=100'))).json;
      return rows.find((row: ValidationRow) => row.requestId === requestId);
    },
    report: (outcomes: readonly object[]) =>
      service.ask({
        method: 'POST',
        path: '/v1/outcomes',
        headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
        body: JSON.stringify({ outcomes }),
      }),
  };
}

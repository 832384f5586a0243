import type { WebhookEvent } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

describe.each(USUAL_BACK_ENDS)('pages of rows, on %s', (backEnd) => {
  let service: TestService;
  let owner: DashboardClient;
  beforeAll(async () => {
    service = await startServiceOn(backEnd, { env: { POSTERN_WEBHOOK_ALLOW: '127.0.0.0/8' } });
    owner = await member(service, 'owner');
  });
  afterAll(() => service.close());

  /** The rows of all pages of two. */
  const walk = async (path: string) => {
    const rows: Record<string, string>[] = [];
    let before = '';
    for (let page = 0; page < 10; page += 1) {
      const separator = path.includes('?') ? '&' : '?';
      const answer = await owner.get(`${path}${separator}limit=2${before}`);
      expect(answer.status, answer.text).toBe(200);
      rows.push(...answer.json.rows);
      if (answer.json.next === null) return rows;
      before = `&before=${encodeURIComponent(answer.json.next)}`;
    }
    throw new Error(`${path} does not end`);
  };
  const addEvents = (projectId: string, types: readonly string[], at: number) =>
    service.admin(async ({ store }) => {
      for (const [index, type] of types.entries())
        await store.events.add({
          projectId,
          id: `${type}-${at}-${index}`,
          type: type as WebhookEvent,
          at,
          logId: null,
          data: {},
        });
    });

  it('shows every event and every audit entry of one moment', async () => {
    const { id } = await service.makeProject();
    const at = Date.now();
    await addEvents(id, Array(4).fill('campaign.detected'), at);
    await addEvents(id, ['quota.reached'], at - 1);
    const events = await walk(`/projects/${id}/events`);
    expect(events.map(({ id: event }) => event)).toEqual(
      [3, 2, 1, 0].map((index) => `campaign.detected-${at}-${index}`).concat(`quota.reached-${at - 1}-0`),
    );

    const before = (await walk(`/audit?project=${id}`)).length;
    await service.admin(async ({ store }) => {
      for (const name of ['a', 'b', 'c', 'd', 'e'])
        await store.audit.append({ at, actor: 'cli', action: 'key.create', projectId: id, detail: { name } });
    });
    const entries = await walk(`/audit?project=${id}`);
    expect(entries).toHaveLength(before + 5);
    expect(new Set(entries.map((entry) => JSON.stringify(entry))).size).toBe(before + 5);
    for (const path of [`/projects/${id}/events`, '/audit'])
      expect((await owner.get(`${path}?before=no%20cursor`)).status, path).toBe(400);
  });

  it('sends an event that a later version adds to webhooks for all events, and to no others', async () => {
    const { id, validate } = await service.makeProject();
    const path = `/projects/${id}/webhooks`;
    const url = 'http://127.0.0.1:9/hook';
    const all = (await owner.post(path, { url })).json;
    const some = (await owner.post(path, { url, events: ['quota.reached'] })).json;
    await addEvents(id, ['later.event', 'quota.reached'], Date.now());
    const typesOf = async (webhookId: string) =>
      (await owner.get(`/webhooks/${webhookId}/deliveries`)).json.rows.map(
        ({ type }: { type: string }) => type,
      );
    expect(await typesOf(all.id)).toEqual(['quota.reached', 'later.event']);
    expect(await typesOf(some.id)).toEqual(['quota.reached']);

    // It also gets what the log’s triggers send, and shows the names of all events.
    const { status } = await validate({ email: 'someone@mailinator.com' });
    expect(status).toBe(200);
    await expect.poll(() => typesOf(all.id)).toContain('validation.blocked');
    const [listed] = (await owner.get(path)).json;
    expect(listed.events).toEqual(all.events);
    expect(listed.events).toContain('validation.blocked');
    expect(listed.events).not.toContain('*');
  });

  it('refuses a query that it cannot answer before it begins the file', async () => {
    const { id } = await service.makeProject();
    for (const path of [
      '/audit.csv?from=x',
      '/audit.csv?to=9007199254740991',
      `/projects/${id}/overview.csv?to=9007199254740991`,
      `/projects/${id}/overview?to=9007199254740991&from=9007199254740000`,
      `/projects/${id}/validations?to=9007199254740991`,
      `/projects/${id}/validations.csv?from=x`,
    ])
      expect((await owner.get(path)).status, path).toBe(400);
    const lastDay = `/projects/${id}/overview.csv?from=253402214400000&to=253402300799999`;
    expect((await owner.get(lastDay)).status).toBe(200);
  });
});

import { expect, test } from 'vitest';
import type { ApiKey } from '../model/api-key.ts';
import { DEFAULT_POLICY, type Project } from '../model/project.ts';
import { type ExposureSettings, type SafetyFacts, safetyChecklist } from './safety-checklist.ts';

const LAPTOP: ExposureSettings = {
  host: '127.0.0.1',
  publicUrl: undefined,
  trustedProxies: undefined,
  clientIpHeader: 'cf-connecting-ip',
  metricsToken: undefined,
};

function project(fields: Partial<Project> = {}): Project {
  const policy = { ...DEFAULT_POLICY, clientOverrides: 'tighten' as const };
  const limits = { visitorRate: 120, serverReserve: 100, quotaLimit: 1000, plan: 'free' };
  return { id: 'shop', ...limits, policy, archivedAt: null, ...fields } as Project;
}

function key(fields: Partial<ApiKey> = {}): ApiKey {
  return { projectId: 'shop', type: 'client', mode: 'live', lastUsedAt: null, ...fields } as ApiKey;
}

function unsafe(facts: Partial<SafetyFacts>): string[] {
  const all = {
    settings: LAPTOP,
    projects: [project()],
    liveKeys: [key()],
    plans: new Map([['free', 500]]),
    ...facts,
  };
  return safetyChecklist(all)
    .filter((item) => !item.safe)
    .map(({ id }) => id);
}

const settings = (change: Partial<ExposureSettings>) => ({ settings: { ...LAPTOP, ...change } });

test('a project with limits on a laptop is safe', () => {
  expect(unsafe({})).toEqual([]);
});

test('a reserve of the whole quota is found: it refuses every client key', () => {
  expect(unsafe({ projects: [project({ serverReserve: 1000 })] })).toEqual(['server-reserve']);
  expect(unsafe({ projects: [project({ serverReserve: 500, quotaLimit: null })] })).toEqual([
    'server-reserve',
  ]);
  expect(unsafe({ projects: [project({ serverReserve: 499, quotaLimit: null })] })).toEqual([]);
});

test('client overrides, the visitor rate and the reserve matter only with a client key that is live', () => {
  const open = project({ visitorRate: 0, serverReserve: 0, policy: DEFAULT_POLICY });
  const all = ['client-overrides', 'visitor-rate', 'server-reserve'];
  expect(unsafe({ projects: [open] })).toEqual(all);
  expect(unsafe({ projects: [open], liveKeys: [key({ type: 'server' })] })).toEqual([]);
  expect(unsafe({ projects: [open], liveKeys: [key({ mode: 'test' })] })).toEqual([]);
  expect(unsafe({ projects: [open], liveKeys: [key({ projectId: 'other' })] })).toEqual([]);
});

test('doors that never asked are named, and unsafe where many people came through one alone', () => {
  const item = (events: [string, number][]) =>
    safetyChecklist({
      settings: LAPTOP,
      projects: [],
      liveKeys: [],
      plans: new Map(),
      events: new Map(events),
    }).find(({ id }) => id === 'doors');
  expect(item([['sign_up', 100]])).toMatchObject({
    safe: false,
    finding: 'Nobody asked within 7 days for: email_change, invitation, oauth, magic_link, trial.',
  });
  expect(item([['sign_up', 99]])).toMatchObject({ safe: true });
  expect(
    item([
      ['sign_up', 500],
      ['oauth', 1],
    ]),
  ).toMatchObject({
    safe: true,
    finding: expect.not.stringContaining('oauth'),
  });
  expect(unsafe({ events: undefined })).toEqual([]);
});

test('demo keys are unsafe where others can reach the service', () => {
  const liveKeys = [key({ projectId: 'demo', type: 'server' })];
  const safePart = { trustedProxies: ['10.0.0.2'], metricsToken: 'secret' };
  expect(unsafe({ liveKeys })).toEqual([]);
  expect(unsafe({ liveKeys, ...settings({ ...safePart, host: '0.0.0.0' }) })).toEqual(['demo-keys']);
  expect(unsafe({ liveKeys, ...settings({ ...safePart, publicUrl: 'https://postern.example' }) })).toEqual([
    'demo-keys',
  ]);
  expect(unsafe({ liveKeys, ...settings({ ...safePart, publicUrl: 'http://localhost:8080' }) })).toEqual([]);
});

test('metrics are unsafe without a token where others can reach the service', () => {
  expect(unsafe(settings({ publicUrl: 'https://postern.example' }))).toEqual(['metrics']);
  expect(unsafe(settings({ publicUrl: 'https://postern.example', metricsToken: 'secret' }))).toEqual([]);
});

test.each([
  ['the whole internet', { trustedProxies: ['0.0.0.0/0'] }],
  ['the whole internet with a header of its own', { trustedProxies: ['::/0'], clientIpHeader: 'x-real-ip' }],
  ['a public proxy that may pass the edge’s header on', { trustedProxies: ['private', '8.8.4.0/24'] }],
  ['private addresses by default on a public address', { host: '0.0.0.0', metricsToken: 'secret' }],
])('whoever may state an address is doubted: %s', (_what, change) => {
  expect(unsafe(settings(change))).toEqual(['client-address']);
});

test.each([
  ['the edge’s own ranges', { trustedProxies: ['104.16.0.0/13', '2606:4700::/32'] }],
  ['a part of them', { trustedProxies: ['104.17.0.0/16'] }],
  [
    'a public proxy with a header that it sets itself',
    { trustedProxies: ['8.8.4.4'], clientIpHeader: 'x-real-ip' },
  ],
  ['nobody', { host: '0.0.0.0', trustedProxies: [], metricsToken: 'secret' }],
  ['private addresses on purpose', { host: '0.0.0.0', trustedProxies: ['private'], metricsToken: 'secret' }],
])('and not: %s', (_what, change) => {
  expect(unsafe(settings(change))).toEqual([]);
});

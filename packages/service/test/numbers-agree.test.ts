import { signalFamily } from '@postern/contract';
import type { Overview } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { ordinaryMail } from './support/dns-server.ts';
import { seededRandom } from './support/seeded-random.ts';
import {
  createKey,
  KNOWN_MAIL,
  type TestProject,
  type TestService,
  updateProject,
} from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

/** Sends a few thousand requests over three weeks, and compares every number of the dashboard with its own count. */
const CLOCK = new URL('./support/stepping-clock.mjs', import.meta.url);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HALF_HOUR_MS = HOUR_MS / 2;

/** How long ago each part of the requests is sent: days, nights, and half hours that only some zones’ days split. */
const AGES_MS = [20.4, 13.1, 6.55, 6.05, 2.3, 1.02, 0.52, 0.1, 0].map((days) => days * DAY_MS);
const REQUESTS_PER_STEP = 240;
const AT_ONCE = 24;
const ZONES = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata', 'Asia/Kathmandu'];
const RANGES_DAYS = [1, 3, 7, 30, 90];

const COMPANIES = Array.from({ length: 30 }, (_, index) => `company-${index}.net`);
const DOMAINS = ['gmail.com', 'gmail.com', 'gmail.com', 'mailinator.com', 'mail-house.net', ...COMPANIES];
const NAMES = ['jane.doe', 'john.smith', 'support', 'jane.doe+news', 'mary.major', 'billing', 'li.wei'];
const IPS = [
  '8.8.8.8',
  '1.1.1.1',
  '81.2.69.142',
  '185.220.101.1',
  '192.0.2.7',
  '45.33.32.156',
  '2606:4700::1111',
];

/** What was answered to one request, as its sender saw it. */
interface Seen {
  readonly at: number;
  readonly status: number;
  readonly domain: string;
  readonly keyId: string;
  readonly fingerprint: string | undefined;
  /** The visitor's address that the backend named. */
  readonly ip: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: an answer’s JSON.
  readonly json: any;
}

function countBy<T>(items: readonly T[], keys: (item: T) => readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) for (const key of new Set(keys(item))) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

const failedChecks = ({ json }: Seen) =>
  Object.entries(json.checks as Record<string, { pass: boolean }>)
    .filter(([, { pass }]) => !pass)
    .map(([check]) => check);
const signalsOf = ({ json }: Seen) => (json.signals as string[]).map(signalFamily);

describe.runIf(process.platform !== 'win32').each(USUAL_BACK_ENDS)(
  'the dashboard’s numbers on %s',
  (backEnd) => {
    let service: TestService;
    let viewer: DashboardClient;
    let project: TestProject;
    const seen: Seen[] = [];
    /** The service’s clock after the last step. */
    let now = 0;
    const validations = () => seen.filter(({ status }) => status === 200);
    const path = (rest: string) => `/projects/${project.id}${rest}`;

    beforeAll(async () => {
      // Every step begins five minutes after a half hour, so that no request comes near the end of one.
      const shifts = AGES_MS.map((age) => {
        const wanted = Date.now() - age;
        return Math.floor(wanted / HALF_HOUR_MS) * HALF_HOUR_MS + 5 * 60_000 - Date.now() - HALF_HOUR_MS;
      });
      service = await startServiceOn(backEnd, {
        zone: { ...KNOWN_MAIL, ...ordinaryMail('mailinator.com', ...COMPANIES) },
        env: {
          NODE_OPTIONS: `--import=${CLOCK.href}`,
          POSTERN_TEST_CLOCK_SHIFTS: shifts.join(','),
        },
      });
      project = await service.makeProject({
        rateClient: 25,
        rateServer: 100_000,
        quotaLimit: 100_000,
        visitorRate: 0,
      });
      const [second, test] = await service.admin(async (admin) => [
        await createKey(admin, { projectId: project.id, type: 'server' }),
        await createKey(admin, { projectId: project.id, type: 'server', mode: 'test' }),
      ]);
      const random = seededRandom(13);
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

      const send = async (shift: number): Promise<void> => {
        const domain = pick(DOMAINS);
        const fingerprint = random() < 0.5 ? `device-${Math.floor(random() ** 2 * 60)}` : undefined;
        const body = {
          email: `${pick(NAMES)}@${domain}`,
          ...(fingerprint !== undefined && { fingerprintHash: fingerprint }),
          ...(random() < 0.7 && { ip: pick(IPS) }),
          ...(random() < 0.2 && { validations: { syntax: 'block', roleEmail: 'block', mx: 'flag' } }),
        };
        const chance = random();
        const key = chance < 0.08 ? test : chance < 0.4 ? second : undefined;
        const headers = key === undefined ? {} : { authorization: `Bearer ${key.secret}` };
        const fromPage = key === undefined && chance > 0.8;
        const ask = () => (fromPage ? project.validateFromPage(body) : project.validate(body, headers));
        let answer = await ask();
        // A busy machine may answer 503, which counts for nothing.
        while (answer.status === 503) answer = await ask();
        const { status, json } = answer;
        if (key === test) return;
        const keyId = fromPage ? project.clientKeyId : (key?.key.id ?? project.serverKeyId);
        seen.push({
          at: Date.now() + shift,
          status,
          domain,
          keyId,
          fingerprint,
          ip: fromPage ? undefined : body.ip,
          json,
        });
      };

      for (const [step, shift] of shifts.entries()) {
        if (step > 0) {
          service.process.kill('SIGWINCH');
          const told = `the clock is off by ${shift}\n`;
          while (!service.output().includes(told)) await new Promise((resolve) => setTimeout(resolve, 10));
        }
        // The last step is over the quota, in whichever month the others were.
        if (step === shifts.length - 1)
          await service.admin((admin) => updateProject(admin, project.id, { quotaLimit: 20 }));
        for (let sent = 0; sent < REQUESTS_PER_STEP; sent += AT_ONCE)
          await Promise.all(Array.from({ length: AT_ONCE }, () => send(shift)));
        now = Date.now() + shift;
      }
      viewer = await member(service, 'viewer');
    });
    afterAll(() => service?.close());

    const overview = async (days: number, timeZone: string): Promise<Overview> => {
      const { status, json } = await viewer.get(
        path(`/overview?from=${now - days * DAY_MS}&to=${now}&timeZone=${encodeURIComponent(timeZone)}`),
      );
      expect(status).toBe(200);
      return json;
    };
    const within = (from: number, to: number) => seen.filter(({ at }) => at >= from && at < to);

    const totalsOf = (rows: readonly Seen[]) => {
      const count = (match: (one: Seen) => boolean) => rows.filter(match).length;
      const answered = (recommendation: string) =>
        count(({ status, json }) => status === 200 && json.recommendation === recommendation);
      return {
        validations: count(({ status }) => status === 200),
        allow: answered('allow'),
        flag: answered('flag'),
        block: answered('block'),
        rateLimited: count(({ status }) => status === 429),
        quotaExceeded: count(({ status }) => status === 402),
      };
    };

    it('have something of everything to count', () => {
      const all = totalsOf(seen);
      expect(seen.length).toBeGreaterThan(1_900);
      for (const [name, count] of Object.entries(all)) expect(count, name).toBeGreaterThan(20);
      expect(Object.keys(countBy(validations(), failedChecks)).length).toBeGreaterThan(3);
      expect(seen.every(({ status }) => [200, 402, 429].includes(status))).toBe(true);
    });

    describe.each(ZONES)('in %s', (timeZone) => {
      it.each(RANGES_DAYS)('agree with the answers over %i days', async (days) => {
        const view = await overview(days, timeZone);
        const rows = within(view.from, view.to);
        const answered = rows.filter(({ status }) => status === 200);
        expect(view.timeZone).toBe(timeZone);
        expect(view.to - view.from).toBe(days * DAY_MS);
        expect(view.totals).toEqual(totalsOf(rows));
        expect(view.previous.totals).toEqual(totalsOf(within(view.previous.from, view.previous.to)));

        // Bars follow each other without gaps, and begin at midnight or at a full hour in that zone.
        const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
        let until = view.from;
        for (const [index, bar] of view.series.entries()) {
          const own = within(bar.at, bar.until);
          const { validations: _sum, ...counts } = totalsOf(own);
          expect(bar).toEqual({ at: until, until: bar.until, partial: bar.partial, ...counts });
          until = bar.until;
          // The first begins where the span does. In Nepal, bars begin with the half hour before.
          const begins =
            timeZone === 'Asia/Kathmandu' ? (days <= 3 ? /:45$/ : /^23:45$/) : days <= 3 ? /:00$/ : /^00:00$/;
          if (index > 0) expect(clock.format(bar.at)).toMatch(begins);
          const ownAnswers = own.filter(({ status }) => status === 200);
          const failed = countBy(ownAnswers, failedChecks);
          for (const { check, series } of view.checks) expect(series[index]).toBe(failed[check] ?? 0);
          const signals = countBy(ownAnswers, signalsOf);
          for (const { signal, series } of view.signals) expect(series[index]).toBe(signals[signal] ?? 0);
        }
        expect(until).toBe(view.to);

        const before = within(view.previous.from, view.previous.to).filter(({ status }) => status === 200);
        const ran = countBy(answered, ({ json }) => Object.keys(json.checks));
        const failed = countBy(answered, failedChecks);
        const failedBefore = countBy(before, failedChecks);
        expect(Object.fromEntries(view.checks.map(({ check, ran: count }) => [check, count]))).toEqual(ran);
        for (const { check, failed: count, previousFailed } of view.checks)
          expect([check, count, previousFailed]).toEqual([
            check,
            failed[check] ?? 0,
            failedBefore[check] ?? 0,
          ]);
        expect(Object.fromEntries(view.signals.map(({ signal, count }) => [signal, count]))).toEqual(
          countBy(answered, signalsOf),
        );
        const signalsBefore = countBy(before, signalsOf);
        for (const { signal, previous } of view.signals) expect(previous).toBe(signalsBefore[signal] ?? 0);

        expectShares(
          view.domains,
          ({ domain }) => domain,
          answered,
          ({ domain }) => [domain],
        );
        expect(view.found.domains).toBe(view.domains.length);
        expectShares(
          view.keys,
          ({ keyId }) => keyId,
          answered,
          ({ keyId }) => [keyId],
        );
        // Country and operator are logged for every address, also where `validations` left the check out.
        const networks = new Map(
          seen
            .map((one) => [one.ip, one.json.checks?.ip?.metadata] as const)
            .filter(([, found]) => found !== undefined),
        );
        const ip = (one: Seen) => one.json.checks.ip?.metadata ?? networks.get(one.ip) ?? {};
        expectShares(
          view.countries,
          ({ country }) => country,
          answered,
          (one) => (ip(one).country === undefined ? [] : [ip(one).country]),
        );
        expectShares(
          view.networks,
          ({ asn }) => String(asn),
          answered,
          (one) => (ip(one).asn === undefined ? [] : [String(ip(one).asn)]),
        );
        const classes = view.domainClasses.reduce((sum, { count }) => sum + count, 0);
        expect(classes).toBe(answered.length);
        expect(view.domainClasses.find(({ domainClass }) => domainClass === 'free')?.count ?? 0).toBe(
          answered.filter(({ domain }) => domain === 'gmail.com').length,
        );
        expect(view.coverage).toEqual({ domainsExact: true, networksExact: true });
      });
    });

    function expectShares<T extends { count: number; blocked: number }>(
      rows: readonly T[],
      nameOf: (row: T) => string,
      answered: readonly Seen[],
      keys: (one: Seen) => readonly string[],
      most = 100,
    ): void {
      const counts = countBy(answered, keys);
      const blocked = countBy(
        answered.filter(({ json }) => json.recommendation === 'block'),
        keys,
      );
      expect(rows).toHaveLength(Math.min(most, Object.keys(counts).length));
      for (const row of rows) {
        const name = nameOf(row);
        expect([name, row.count, row.blocked]).toEqual([name, counts[name], blocked[name] ?? 0]);
      }
      // The most frequent come first, and none is left out for a rarer one.
      const shown = rows.map(({ count }) => count);
      const real = Object.values(counts).sort((one, other) => other - one);
      expect(shown).toEqual(real.slice(0, most));
    }

    /** How many rows the log lists with that filter. */
    async function listed(query: string): Promise<number> {
      let rows = 0;
      let cursor: string | null = null;
      do {
        const next: string = cursor === null ? '' : `&cursor=${cursor}`;
        const { json } = await viewer.get(path(`/validations?limit=200&mode=live&${query}${next}`));
        rows += json.rows.length;
        cursor = json.next;
      } while (cursor !== null);
      return rows;
    }

    it('are those of the log that a click on them opens', async () => {
      const view = await overview(30, 'Asia/Kolkata');
      const time = `from=${view.from}&to=${view.to}`;
      expect(await listed(time)).toBe(view.totals.validations);
      expect(await listed(`${time}&recommendation=flag`)).toBe(view.totals.flag);
      for (const { check, failed } of view.checks)
        expect(await listed(`${time}&check=${check}`)).toBe(failed);
      for (const { signal, count } of view.signals)
        expect(await listed(`${time}&signal=${encodeURIComponent(signal)}`), signal).toBe(count);
      for (const { domain, count } of view.domains)
        expect(await listed(`${time}&domain=${domain}`)).toBe(count);
      for (const { country, count } of view.countries)
        expect(await listed(`${time}&country=${country}`)).toBe(count);
      for (const { asn, count } of view.networks) expect(await listed(`${time}&asn=${asn}`)).toBe(count);
      const bar = view.series.find(({ flag }) => flag > 0);
      expect(await listed(`from=${bar?.at}&to=${bar?.until}&recommendation=flag`)).toBe(bar?.flag);
    });

    it('are those of the pages of domains and networks, with what was flagged and blocked', async () => {
      const view = await overview(30, 'Asia/Kolkata');
      const span = `from=${view.from}&to=${view.to}&timeZone=Asia/Kolkata`;
      const pages = [
        ...view.domains.map((row) => ({ ...row, query: `domain=${row.domain}` })),
        ...view.networks.map((row) => ({ ...row, query: `asn=${row.asn}` })),
      ];
      let flaggedSomewhere = 0;
      for (const { query, count, blocked } of pages.filter(({ query }) => !query.includes('['))) {
        const { figures } = (await viewer.get(path(`/thing?${query}&${span}`))).json;
        const flagged = await listed(`from=${view.from}&to=${view.to}&${query}&recommendation=flag`);
        flaggedSomewhere += flagged;
        expect({ query, ...figures }).toMatchObject({ query, count, flagged, blocked });
        const bars: { flagged: number }[] = figures.series;
        expect(bars.reduce((sum, bar) => sum + bar.flagged, 0)).toBe(flagged);
      }
      expect(flaggedSomewhere).toBeGreaterThan(0);
    });

    it('are those of the CSV exports', async () => {
      const view = await overview(30, 'Pacific/Auckland');
      const time = `from=${view.from}&to=${view.to}`;
      const log = await viewer.get(path(`/validations.csv?mode=live&${time}`));
      expect(log.text.trim().split('\r\n')).toHaveLength(view.totals.validations + 1);
      const csv = await viewer.get(path(`/overview.csv?${time}&timeZone=Pacific/Auckland`));
      const [head, ...lines] = csv.text.trim().split('\r\n');
      expect(head).toContain('from,to,validations,allow,flag,block,rateLimited,quotaExceeded');
      expect(lines).toHaveLength(view.series.length);
      for (const [index, line] of lines.entries()) {
        const [from, to, ...numbers] = line.split(',');
        const bar = view.series[index];
        const { validations: sum, ...counts } = totalsOf(
          within(Date.parse(from ?? ''), Date.parse(to ?? '')),
        );
        expect(Date.parse(from ?? '')).toBe(bar?.at);
        expect(numbers.slice(0, 6).map(Number)).toEqual([sum, ...Object.values(counts)]);
        expect(numbers.slice(6).map(Number)).toEqual(view.checks.map(({ series }) => series[index]));
      }
    });

    it('are the same for a device in the list, on its page and in the answers', async () => {
      const { json } = await viewer.get(path('/things?kind=device'));
      const own = countBy(validations(), ({ fingerprint }) =>
        fingerprint === undefined ? [] : [fingerprint],
      );
      expect(json.rows.length).toBeGreaterThan(5);
      for (const { name, people, validations: times } of json.rows) {
        const page = (await viewer.get(path(`/thing?device=${name}`))).json;
        expect([page.facts.seen, page.reach.people]).toEqual([{ times, others: people }, people]);
        expect(Object.values(own)).toContain(times);
      }
    });

    it('say how many spellings an inbox came with', async () => {
      await service.admin((admin) => updateProject(admin, project.id, { quotaLimit: 100_000 }));
      const names = [
        'many.names',
        'manynames',
        'm.any.names',
        ...['1', '2', '1'].map((tag) => `many.names+${tag}`),
      ];
      for (const [index, name] of names.entries())
        await project.validate({
          email: `${name}@gmail.com`,
          ...(index > 3 && { fingerprintHash: 'spellings' }),
        });
      const [newest] = (await viewer.get(path('/things?kind=person&domain=gmail.com'))).json.rows;
      expect(newest.validations).toBe(names.length);
      const { facts } = (await viewer.get(path(`/thing?person=${newest.name}`))).json;
      expect(facts).toMatchObject({ spellings: 5, seen: { others: 1 } });
    });
  },
);

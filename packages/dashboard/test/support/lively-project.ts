import { createHash, randomUUID } from 'node:crypto';
import { CHECK_NAMES, type CheckName, SIGNALS, type Signal } from '@postern/contract';
import { NO_FACTS } from '../../../service/src/model/facts-for-rules.ts';
import { ordinaryMail } from '../../../service/test/support/dns-server.ts';
import { FARM_DOMAINS } from '../../../service/test/support/farm-sign-ups.ts';
import { KNOWN_MAIL, type TestProject, type TestService } from '../../../service/test/support/service.ts';

/** Domains of the sign-ups in the lively project, besides the well-known ones. */
export const LIVELY_MAIL = {
  ...KNOWN_MAIL,
  ...ordinaryMail(
    'proton.me',
    'fastmail.com',
    'acme-robotics.com',
    'northwind.dev',
    'hey.com',
    'mailinator.com',
    ...FARM_DOMAINS,
  ),
};

const DOMAIN_CLASSES = ['free', 'business', 'free', 'relay', 'disposable'] as const;
const NETWORKS = [
  { country: 'DE', asn: 3320, network: 'Deutsche Telekom AG' },
  { country: 'NZ', asn: 4771, network: 'Spark New Zealand Trading Ltd.' },
  { country: 'US', asn: 7922, network: 'Comcast Cable Communications, LLC' },
  { country: 'IN', asn: 55836, network: 'Reliance Jio Infocomm Limited' },
  { country: 'US', asn: 14061, network: 'DigitalOcean, LLC' },
  { country: 'BR', asn: 28573, network: 'Claro NXT Telecomunicacoes Ltda' },
  { country: 'GB', asn: 2856, network: 'British Telecommunications PLC' },
  { country: 'JP', asn: 2516, network: 'KDDI CORPORATION' },
  { country: 'NG', asn: 29465, network: 'MTN NIGERIA Communication limited' },
] as const;
const HOUR_MS = 3_600_000;
/** Hundreds are settled at once, on a machine that may be busy. */
const SETTLE_TIMEOUT_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
const HOME = '81.2.69.142';

/** The kinds of sign-ups, and how often each occurs. Each is validated once, and its answer is used for all of them. */
const SAMPLES: readonly { weight: number; body: Record<string, string> }[] = [
  { weight: 40, body: { email: 'jane.doe@gmail.com', ip: HOME, fingerprintHash: 'laptop-1' } },
  { weight: 16, body: { email: 'sam.rivera@outlook.com', ip: HOME, fingerprintHash: 'phone-1' } },
  { weight: 12, body: { email: 'mei@icloud.com', ip: HOME } },
  { weight: 9, body: { email: 'olu.ade@yahoo.com', ip: HOME, fingerprintHash: 'phone-2' } },
  { weight: 6, body: { email: 'lena@northwind.dev', ip: HOME } },
  { weight: 5, body: { email: 'k.novak@proton.me', ip: '185.220.101.4' } },
  { weight: 8, body: { email: 'promo81@mailinator.com', ip: HOME, fingerprintHash: 'farm-1' } },
  { weight: 5, body: { email: 'jane.doe+trial@gmail.com', ip: HOME } },
  { weight: 4, body: { email: 'info@acme-robotics.com', ip: HOME } },
  { weight: 4, body: { email: 'someone@no-such-host-here.com', ip: HOME } },
  { weight: 3, body: { email: 'tim@gmial.com', ip: HOME } },
];

const NAMES = ['a', 'b', 'd', 'e', 'h', 'j', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'w'];

/** The same numbers on every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/**
 * A project with weeks of sign-ups: busy days and quiet nights, a device farm, and a person who comes back with other
 * spellings. Reasons and metadata are real answers of the service.
 */
export async function seedHistory(service: TestService, project: TestProject, days: number, perDay: number) {
  for (const { body } of SAMPLES) {
    const answer = await project.validate(body);
    if (answer.status !== 200) throw new Error(`${body.email}: ${answer.status} ${answer.text}`);
  }
  await service.admin(async ({ store }) => {
    const { rows } = await store.log.page(project.id, {}, SAMPLES.length, null);
    const templates = rows.reverse();
    const key = await store.keys.find(project.serverKeyId);
    const stored = await store.projects.find(project.id);
    if (key === undefined || stored === undefined) throw new Error('The project is gone');
    const random = sequence(7);
    const total = SAMPLES.reduce((sum, { weight }) => sum + weight, 0);
    const pick = () => {
      let at = random() * total;
      return Math.max(
        0,
        SAMPLES.findIndex(({ weight }) => {
          at -= weight;
          return at < 0;
        }),
      );
    };
    const now = Date.now();
    const moments = Array.from({ length: days * perDay }, () => {
      const day = Math.floor(random() ** 0.8 * days);
      // Most people sign up in the afternoon.
      const hour = 14 + (random() + random() + random() - 1.5) * 8;
      return Math.floor((now - day * DAY_MS) / DAY_MS) * DAY_MS + hour * HOUR_MS;
    })
      .filter((at) => at < now - 60_000)
      .sort((a, b) => a - b);
    const settle = (at: number, index: number, person: number, rateLimit = 1_000_000) => {
      const template = templates[index];
      if (template === undefined) throw new Error('A sample left no row');
      const farm = index === 6;
      const spelled = `${NAMES[person % NAMES.length]}***@${template.domain}`;
      const checks = JSON.parse(template.checksJson) as Record<string, unknown>;
      const { country, asn, network } = NETWORKS[person % NETWORKS.length] ?? NETWORKS[0];
      const signalsOf = (check: CheckName) =>
        template.signals.filter(
          (signal): signal is Signal =>
            signal in SIGNALS &&
            SIGNALS[signal as keyof typeof SIGNALS].check === check &&
            !/^(device|alias_reuse)/.test(signal),
        );
      const deviceHash = farm ? hash(`farm ${person % 3}`) : hash(`device ${index} ${person}`);
      return store.settle(
        {
          projectId: project.id,
          keyId: key.id,
          projectVersion: stored.version,
          keyVersion: key.version,
          keyType: 'server',
          mode: 'live',
          now: Math.floor(at),
          rateLimit,
          visitors: [],
          countRate: true,
          quotaLimit: 1_000_000,
          month: new Date(at).toISOString().slice(0, 7),
          validation: {
            inboxHash: hash(index === 7 ? 'inbox 0 1' : `inbox ${index} ${farm ? person % 11 : person}`),
            spellingHash: hash(`spelling ${index} ${person}`),
            deviceHash: template.deviceHash === null ? null : deviceHash,
            networkHash: hash(`network ${person % 5}`),
            keyType: 'server',
            traits: {
              domain: null,
              mailHost: null,
              sharesNetwork: true,
              mail: 'provider',
              browser: 'other',
              hosting: false,
              institution: false,
            },
            mistyped: 0,
            now: Math.floor(at),
            // Without the checks that history fails, which judge this project’s own history.
            found: CHECK_NAMES.filter((check) => check in checks).map((check) => ({
              check,
              finding:
                template.failed.includes(check) && check !== 'device' && check !== 'alias'
                  ? { result: 'failed', error: '', signals: signalsOf(check) }
                  : { result: 'passed', signals: signalsOf(check) },
            })),
            actions: template.actions,
            listing: null,
            simulatedHistory: null,
            idempotency: null,
            log: {
              requestId: randomUUID(),
              maskedAddress: spelled,
              domain: template.domain,
              maskedIp: template.maskedIp,
              shape: template.shape,
              sdkVersion: index % 2 === 0 ? 'browser/0.1.0' : null,
              checksJson: template.checksJson,
              facts: { ...NO_FACTS, operator: network },
              country,
              asn,
              latencyMs: Math.round((0.4 + random() ** 6 * 40) * 100) / 100,
              ran: Object.keys(checks).join(','),
              domainClass: DOMAIN_CLASSES[index % DOMAIN_CLASSES.length] ?? 'business',
            },
          },
        },
        SETTLE_TIMEOUT_MS,
      );
    };
    // One script, on one evening, ran into the rate limit.
    const busy = moments[Math.floor(moments.length * 0.6)] ?? now;
    await settle(busy, 0, 1);
    await Promise.all(Array.from({ length: 30 }, (_, index) => settle(busy + index, 0, 1, 1)));
    for (let at = 0; at < moments.length; at += 500) {
      await Promise.all(
        moments.slice(at, at + 500).map((moment) => settle(moment, pick(), Math.floor(random() * 900))),
      );
    }
  });
}

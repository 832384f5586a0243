import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  CHALLENGE_LIFETIME_MS,
  CHALLENGE_TRIES,
  type Challenge,
  CODE_DIGITS,
  challengeTexts,
  type LanguageTag,
  STEP_UP_TEXTS,
  type StepUp,
  type StepUpKind,
  TEST_CODE,
} from '@postern/contract';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import type { MailSender } from '../events/send-mail.ts';
import type { KeyMode } from '../model/api-key.ts';
import type { IpAddress } from '../model/ip-address.ts';
import type { Judgement } from '../model/judgement.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import type { Project } from '../model/project.ts';
import { within } from '../model/within.ts';
import { openAnswer, sealAnswer } from '../record/sealed-answer.ts';
import { emailHash, type VerdictFacts } from '../record/verdict.ts';
import type { Store } from '../store/store.ts';
import type { ChallengeRow } from '../store/tables/challenge-table.ts';
import { askVendor, type VendorParts } from './vendor.ts';
import { HARDER_FOR_MS, isWorkDone, makeWork, mostCounters, type WorkTask } from './work.ts';

/**
 * The code of a challenge. It is computed and stored nowhere: it takes the installation’s secret and the ID that only the
 * caller has. So a second mail has the same code, and a late first mail is still right.
 */
function codeOf(secret: string, challengeId: string, mode: KeyMode): string {
  if (mode === 'test') return TEST_CODE;
  const digest = createHmac('sha256', secret).update(`step-up code ${challengeId}`).digest();
  // 48 bits: no code is noticeably more likely than another.
  return String(digest.readUIntBE(0, 6) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
}

/** Takes what people paste: spaces and hyphens between the digits, and digits of other scripts. */
function isSameCode(proof: string, code: string): boolean {
  const digits = proof
    .normalize('NFKC')
    .replaceAll(/[\s-]/gu, '')
    .replaceAll(/\p{Nd}/gu, asciiDigit);
  const [given, right] = [Buffer.from(digits), Buffer.from(code)];
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Decimal digits come in runs of ten. */
function asciiDigit(digit: string): string {
  let value = 0;
  for (let at = (digit.codePointAt(0) ?? 0) - 1; /\p{Nd}/u.test(String.fromCodePoint(at)); at -= 1)
    value += 1;
  return String(value % 10);
}

const RIGHT_TO_LEFT: ReadonlySet<LanguageTag> = new Set(['ar', 'he']);

/** Mails the code, as text and as HTML without images or links. */
async function mailCode(
  mail: MailSender,
  { to, site, code, language }: { to: string; site: string; code: string; language: LanguageTag },
): Promise<void> {
  const texts = STEP_UP_TEXTS[language];
  const fill = (text: string) => text.replace('{site}', () => site).replace('{code}', () => code);
  const [intro, ignore] = [fill(texts.intro), fill(texts.ignore)];
  const direction = RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
  await mail.send({
    to,
    subject: fill(texts.subject),
    text: `${intro}\n\n${code}\n\n${ignore}\n`,
    html: `<!doctype html><html lang="${language}" dir="${direction}"><body style="font-family:sans-serif"><p>${escaped(intro)}</p><p style="font-size:2em;letter-spacing:.2em" dir="ltr"><strong>${code}</strong></p><p>${escaped(ignore)}</p></body></html>`,
  });
}

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export interface StepUpParts {
  readonly store: Pick<Store, 'challenges' | 'campaigns'>;
  readonly keyedHash: KeyedHash;
  /** The installation’s own. */
  readonly secret: string;
  readonly randomBytes: (size: number) => Buffer;
  readonly fetch: VendorParts['fetch'];
  readonly vendorUrl: VendorParts['vendorUrl'];
  readonly now: () => number;
  /** `undefined` while no mail server is set. */
  readonly mail: MailSender | undefined;
  /** Counts a code against the hour’s limits, exactly. */
  readonly countCode: (resolved: ResolvedKey, person: CodeReceiver) => Promise<boolean>;
  readonly onFault: (fault: unknown) => void;
  /** The project’s vendor did not say whether a token is right. */
  readonly onVendorFault: (projectId: string, fault: unknown) => void;
  readonly onResult: (kind: StepUpKind, result: 'asked' | 'not_asked' | 'passed' | 'wrong') => void;
}

/** Who is mailed, for the limits. */
export interface CodeReceiver {
  readonly inbox: string;
  /** Lower case, NFC, A-label domain. The code is mailed to it. */
  readonly address: string;
  readonly ip: IpAddress | undefined;
}

/** What the second verdict says, which is known when the first is signed. */
type SecondVerdict = Omit<VerdictFacts, 'steppedUp'>;

/** A flagged validation. */
export interface Flagged extends CodeReceiver {
  readonly resolved: ResolvedKey;
  readonly logId: string;
  readonly language: LanguageTag;
  readonly verdict: SecondVerdict;
}

interface Sealed {
  readonly verdict: SecondVerdict;
  readonly work?: WorkTask;
}

export type Proved =
  | { readonly result: 'passed'; readonly verdict: VerdictFacts }
  | { readonly result: 'wrong'; readonly triesLeft: number }
  | { readonly result: 'unknown' | 'expired' | 'used' | 'away' };

const ID_BYTES = 18;
/** An answer does not wait longer for the mail server. */
const MAIL_WAIT_MS = 800;

/** What a flag asks of the person: a rule’s own, or the policy’s. */
export function stepUpOf(
  { policy, rules }: Pick<Project, 'policy' | 'rules'>,
  { recommendation, rule }: Pick<Judgement, 'recommendation' | 'rule'>,
): StepUp {
  if (recommendation !== 'flag') return 'none';
  return (rule === null ? undefined : rules.find(({ id }) => id === rule)?.stepUp) ?? policy.stepUp;
}

export type Challenges = ReturnType<typeof createChallenges>;

export function createChallenges(parts: StepUpParts) {
  const { store, keyedHash, randomBytes, now, onFault, onResult } = parts;
  const workSecret = keyedHash('challenge', 'work');
  const hashId = (id: string) => keyedHash('challenge', `id ${id}`);

  /** Mails the code. `false`: it may not be mailed, or cannot be. */
  const sendCode = async (
    id: string,
    resolved: ResolvedKey,
    person: CodeReceiver & Pick<Flagged, 'language'>,
  ): Promise<boolean> => {
    const { key, project } = resolved;
    if (key.mode === 'test') return true;
    const { mail } = parts;
    if (mail === undefined || !(await parts.countCode(resolved, person))) return false;
    const code = codeOf(parts.secret, id, key.mode);
    const sending = mailCode(mail, {
      to: person.address,
      site: project.name,
      code,
      language: person.language,
    }).then(
      () => true,
      (fault: unknown) => {
        onFault(fault);
        return false;
      },
    );
    return within(sending, MAIL_WAIT_MS, true);
  };

  const countersFor = async ({ id, policy }: Project, at: number) =>
    mostCounters(policy.stepUpEffort, await store.campaigns.isUnderWay(id, at - HARDER_FOR_MS));

  const open = async (kind: StepUpKind, flagged: Flagged): Promise<Challenge | undefined> => {
    const { resolved, inbox, logId, verdict } = flagged;
    const { key, project } = resolved;
    const at = Math.floor(now());
    const id = `ch_${randomBytes(ID_BYTES).toString('base64url')}`;
    const work = kind === 'work' ? await makeWork(await countersFor(project, at), workSecret) : undefined;
    const vendor = kind === 'vendor' ? await store.challenges.vendor(project.id) : undefined;
    if (kind === 'vendor' && vendor === undefined) return undefined;
    const sealed: Sealed = { verdict, ...(work !== undefined && { work }) };
    const row: ChallengeRow = {
      projectId: project.id,
      id: hashId(id),
      at,
      expiresAt: at + CHALLENGE_LIFETIME_MS,
      kind,
      mode: key.mode,
      keyType: key.type,
      inbox,
      logId,
      sealed: sealAnswer(JSON.stringify(sealed), sealedFor(id), randomBytes),
      tries: 0,
      passedAt: null,
    };
    if (!(await store.challenges.open(row))) return undefined;
    if (kind === 'code' && !(await sendCode(id, resolved, flagged))) {
      await store.challenges.withdraw(project.id, row.id);
      return undefined;
    }
    const expiresAt = new Date(row.expiresAt).toISOString();
    const { language } = flagged;
    return {
      id,
      kind,
      expiresAt,
      ...(work !== undefined && { work: work.parameters }),
      ...(vendor !== undefined && { vendor: { name: vendor.vendor, siteKey: vendor.siteKey } }),
      language,
      texts: challengeTexts(language),
    };
  };

  /** The challenge, if this caller has it. */
  const find = async ({ key, project }: ResolvedKey, id: string): Promise<ChallengeRow | undefined> => {
    const row = await store.challenges.find(project.id, hashId(id));
    return row?.keyType === key.type && row.mode === key.mode ? row : undefined;
  };
  const stateOf = (row: ChallengeRow): 'open' | 'expired' | 'used' => {
    if (row.passedAt !== null || row.tries >= CHALLENGE_TRIES) return 'used';
    return row.expiresAt <= now() ? 'expired' : 'open';
  };
  const openSealed = (id: string, { sealed }: ChallengeRow): Sealed =>
    JSON.parse(openAnswer(sealed ?? '', sealedFor(id))) as Sealed;

  const askAccount = async (projectId: string, token: string): Promise<boolean | 'away'> => {
    const account = await store.challenges.vendor(projectId);
    if (account === undefined) return 'away';
    return askVendor(parts, account, token).catch((fault: unknown) => {
      parts.onVendorFault(projectId, fault);
      return account.away === 'allow' || 'away';
    });
  };
  const judgeProof = async (id: string, row: ChallengeRow, work: WorkTask | undefined, proof: string) => {
    if (row.kind === 'vendor') return askAccount(row.projectId, proof);
    return row.kind === 'code'
      ? isSameCode(proof, codeOf(parts.secret, id, row.mode))
      : work !== undefined && (await isWorkDone(work, proof, workSecret));
  };

  return {
    /** Asks the flagged person. Whatever fails here leaves a plain flag. */
    async ask(kind: StepUpKind, flagged: Flagged): Promise<Challenge | undefined> {
      const challenge = await open(kind, flagged).catch((fault: unknown) => {
        onFault(fault);
        return undefined;
      });
      onResult(kind, challenge === undefined ? 'not_asked' : 'asked');
      return challenge;
    },
    /** Looks at a proof. Of any number of right ones, at once or one after the other, one passes. */
    async prove(resolved: ResolvedKey, id: string, proof: string): Promise<Proved> {
      const row = await find(resolved, id);
      if (row === undefined) return { result: 'unknown' };
      const state = stateOf(row);
      if (state !== 'open') return { result: state };
      const tries = await store.challenges.takeTry(row.projectId, row.id, now());
      if (tries === undefined) return { result: 'used' };
      const { verdict, work } = openSealed(id, row);
      const judged = await judgeProof(id, row, work, proof);
      if (judged === 'away') return { result: 'away' };
      if (!judged) {
        onResult(row.kind, 'wrong');
        return { result: 'wrong', triesLeft: CHALLENGE_TRIES - tries };
      }
      if (!(await store.challenges.pass(row, Math.floor(now())))) return { result: 'used' };
      onResult(row.kind, 'passed');
      return {
        result: 'passed',
        verdict: { ...verdict, recommendation: 'allow', steppedUp: row.kind, now: now() },
      };
    },
    /** Mails the code again, to the address that the challenge is about. */
    async resend(
      resolved: ResolvedKey,
      id: string,
      to: Pick<Flagged, 'address' | 'language' | 'ip'>,
    ): Promise<'sent' | 'not_sent' | 'unknown' | 'expired' | 'used'> {
      const row = await find(resolved, id);
      if (row === undefined || row.kind !== 'code') return 'unknown';
      const state = stateOf(row);
      if (state !== 'open') return state;
      if (openSealed(id, row).verdict.sub !== emailHash(to.address)) return 'unknown';
      return (await sendCode(id, resolved, { ...to, inbox: row.inbox })) ? 'sent' : 'not_sent';
    },
  };
}

/** Only who has the challenge’s ID can open what is sealed for it. */
const sealedFor = (id: string) => ({ idempotencyKey: id, body: Buffer.alloc(0) });

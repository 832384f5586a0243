import { createHmac, timingSafeEqual } from 'node:crypto';
import { CODE_DIGITS, type LanguageTag, STEP_UP_TEXTS, TEST_CODE } from '@postern/contract';
import type { MailSender } from '../events/send-mail.ts';
import type { KeyMode } from '../model/api-key.ts';

/**
 * The code of a challenge. It is computed and stored nowhere: it takes the installation’s secret and the ID that only the
 * caller has. So a second mail has the same code, and a late first mail is still right.
 */
export function codeOf(secret: string, challengeId: string, mode: KeyMode): string {
  if (mode === 'test') return TEST_CODE;
  const digest = createHmac('sha256', secret).update(`step-up code ${challengeId}`).digest();
  // 48 bits: no code is noticeably more likely than another.
  return String(digest.readUIntBE(0, 6) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
}

/** Takes what people paste: spaces and hyphens between the digits, and digits of other scripts. */
export function isSameCode(proof: string, code: string): boolean {
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
export async function mailCode(
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

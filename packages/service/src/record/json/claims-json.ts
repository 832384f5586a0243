import type { VerdictClaims } from '@postern/contract';
import { jsonString, jsonStrings } from '../../model/json-text.ts';

/** The verdict’s claims. Built by hand for speed, because every request writes them. */
export function writeClaims(claims: VerdictClaims): string {
  const times = `"iat":${claims.iat},"exp":${claims.exp}`;
  const names = `"aud":${jsonString(claims.aud)},"sub":"${claims.sub}","jti":"${claims.jti}","requestId":${jsonString(claims.requestId)}`;
  const verdict = `"recommendation":"${claims.recommendation}","signals":${jsonStrings(claims.signals)},"mode":"${claims.mode}","checks":${jsonStrings(claims.checks)},"event":"${claims.event}"`;
  const weakened = claims.weakened ? ',"weakened":true' : '';
  const page = claims.page === undefined ? '' : `,"page":"${claims.page}"`;
  const steppedUp = claims.steppedUp === undefined ? '' : `,"steppedUp":"${claims.steppedUp}"`;
  const without = claims.without === undefined ? '' : `,"without":${jsonStrings(claims.without)}`;
  const quiet = claims.quiet ? ',"quiet":true' : '';
  return `{"iss":"${claims.iss}",${names},${times},${verdict}${weakened}${without}${quiet}${steppedUp}${page}}`;
}

import type { FeedSource } from './feed-source.ts';
import { guardNetworkTable } from './network-table.ts';

/** A list that loses more than half, or grows threefold, from one time to the next is broken or poisoned. */
const MOST_LOSS = 0.5;
const MOST_GROWTH = 3;
/** Small lists move by chance. */
const GROWTH_FROM = 1_000;

/**
 * Mailboxes of hundreds of millions. A list that newly names one of them is poisoned as a whole; lesser providers
 * are kept out one by one when the data is compiled.
 */
const NEVER_LISTED: ReadonlySet<string> = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com aol.com ' +
    'proton.me protonmail.com pm.me gmx.de gmx.net gmx.com web.de t-online.de mail.ru yandex.ru ya.ru qq.com 163.com 126.com ' +
    'sina.com naver.com daum.net hanmail.net orange.fr wanadoo.fr free.fr laposte.net libero.it virgilio.it comcast.net verizon.net ' +
    'att.net sbcglobal.net cox.net bellsouth.net btinternet.com sky.com rediffmail.com uol.com.br bol.com.br terra.com.br ' +
    'zoho.com fastmail.com mail.com seznam.cz wp.pl onet.pl o2.pl hotmail.co.uk yahoo.co.uk yahoo.co.jp yahoo.co.in docomo.ne.jp ' +
    'privaterelay.appleid.com private.icloud.com duck.com mozmail.com'
  ).split(' '),
);

/** Throws when the new list should not replace the last good one, and says why. */
export function guardFeed(
  source: FeedSource,
  entries: readonly string[],
  previousCount: number | undefined,
): void {
  if (entries.length < source.minEntries) {
    throw new Error(`has ${entries.length} entries, fewer than ${source.minEntries}`);
  }
  if (previousCount !== undefined) {
    if (entries.length < previousCount * (1 - MOST_LOSS))
      throw new Error(`shrank from ${previousCount} entries to ${entries.length}`);
    if (entries.length > GROWTH_FROM && entries.length > previousCount * MOST_GROWTH) {
      throw new Error(`grew from ${previousCount} entries to ${entries.length}`);
    }
  }
  if (source.format === 'asn-csv') guardNetworkTable(entries);
  const provider =
    source.use.list === 'domains' && source.use.tier !== 'spared'
      ? entries.find((entry) => NEVER_LISTED.has(entry))
      : undefined;
  if (provider !== undefined) throw new Error(`names ${provider}`);
}

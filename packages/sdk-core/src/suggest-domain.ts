/**
 * The domains that are worth mending. Short names (aol, gmx, live, mail, me) are left out: one letter away from
 * them lie real domains. Precision comes before recall, because the service looks again with better data.
 */
const WELL_KNOWN = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.fr',
  'yahoo.de',
  'yahoo.co.in',
  'hotmail.com',
  'hotmail.co.uk',
  'hotmail.fr',
  'hotmail.de',
  'hotmail.it',
  'hotmail.es',
  'outlook.com',
  'outlook.de',
  'outlook.fr',
  'icloud.com',
  'protonmail.com',
  'comcast.net',
];

/** Endings that are no top-level domain and stand for `com` by a slip of the finger. */
const BROKEN_COM = /\.(?:con|cmo|ocm|vom|xom|cim|comm|coom|ccom|cpm|c0m)$/;

/** Names whose mail lives under `com` alone, so that these real endings are slips after them. */
const COM_ONLY = /^(gmail|googlemail|icloud|protonmail)\.(?:co|cm|om|cam|net|org)$/;

/** Somebody’s real domains that are one slip away from a well-known one. */
const NEIGHBOURS = ['gail.com', 'grail.com'];

/** The well-known domain that `domain` is a misspelling of, or `null`. */
export function suggestDomain(domain: string): string | null {
  const typed = domain.toLowerCase();
  if (WELL_KNOWN.includes(typed) || NEIGHBOURS.includes(typed)) return null;
  const mended = typed.replace(BROKEN_COM, '.com').replace(COM_ONLY, '$1.com');
  if (mended !== typed) return WELL_KNOWN.includes(mended) ? mended : (nearest(mended) ?? mended);
  if (!typed.includes('.')) return WELL_KNOWN.find((known) => known === `${typed}.com`) ?? null;
  return nearest(typed);
}

/**
 * The same ending, the same first letter, and one slip in a name of five letters or more. Real domains next to
 * a big provider nearly always differ in the first letter (ymail, email, mail), slips of the finger rarely do.
 */
function nearest(typed: string): string | null {
  const dot = typed.indexOf('.');
  const ending = typed.slice(dot);
  for (const known of WELL_KNOWN) {
    const knownDot = known.indexOf('.');
    if (known.slice(knownDot) !== ending || known[0] !== typed[0]) continue;
    if (isOneSlip(typed.slice(0, dot), known.slice(0, knownDot))) return known;
  }
  return null;
}

/** One letter more, less, other, or two neighbours swapped. */
function isOneSlip(typed: string, known: string): boolean {
  if (Math.abs(typed.length - known.length) > 1 || typed === known) return false;
  let same = 0;
  while (same < known.length && typed[same] === known[same]) same += 1;
  const [t, k] = [typed.slice(same), known.slice(same)];
  return (
    t.slice(1) === k || // one more
    t === k.slice(1) || // one less
    t.slice(1) === k.slice(1) || // another
    (t[0] === k[1] && t[1] === k[0] && t.slice(2) === k.slice(2)) // swapped
  );
}

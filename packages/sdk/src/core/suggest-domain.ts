/**
 * The domains that are worth correcting. Short names (aol, gmx, live, mail, me) are left out, because real domains
 * differ from them by one letter. Precision matters more than recall, because the service checks again with better
 * data.
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

/** Endings that are not top-level domains but typos of `com`. */
const BROKEN_COM = /\.(?:con|cmo|ocm|vom|xom|cim|comm|coom|ccom|cpm|c0m)$/;

/** Names that only exist under `com`, so that these real endings are typos after them. */
const COM_ONLY = /^(gmail|googlemail|icloud|protonmail)\.(?:co|cm|om|cam|net|org)$/;

/** Real domains that are one typo away from a well-known one. */
const NEIGHBOURS = ['gail.com', 'grail.com'];

/** The well-known domain that `domain` is a misspelling of, or `null`. */
export function suggestDomain(domain: string): string | null {
  const typed = domain.toLowerCase();
  if (WELL_KNOWN.includes(typed) || NEIGHBOURS.includes(typed)) return null;
  const mended = typed.replace(BROKEN_COM, '.com').replace(COM_ONLY, '$1.com');
  if (mended !== typed) return WELL_KNOWN.includes(mended) ? mended : (nearest(mended) ?? mended);
  if (!typed.includes('.')) return WELL_KNOWN.find((candidate) => candidate === `${typed}.com`) ?? null;
  return nearest(typed);
}

/**
 * The same ending, the same first letter, and one typo in a name of five letters or more. Real domains that resemble a
 * big provider nearly always differ in the first letter (ymail, email, mail). Typos rarely do.
 */
function nearest(typed: string): string | null {
  const dot = typed.indexOf('.');
  const ending = typed.slice(dot);
  for (const candidate of WELL_KNOWN) {
    const candidateDot = candidate.indexOf('.');
    if (candidate.slice(candidateDot) !== ending || candidate[0] !== typed[0]) continue;
    if (isOneSlip(typed.slice(0, dot), candidate.slice(0, candidateDot))) return candidate;
  }
  return null;
}

/** One letter added, missing or replaced, or two adjacent letters swapped. */
function isOneSlip(typed: string, candidate: string): boolean {
  if (Math.abs(typed.length - candidate.length) > 1 || typed === candidate) return false;
  let same = 0;
  while (same < candidate.length && typed[same] === candidate[same]) same += 1;
  const [t, c] = [typed.slice(same), candidate.slice(same)];
  return (
    t.slice(1) === c || // one more
    t === c.slice(1) || // one less
    t.slice(1) === c.slice(1) || // another
    (t[0] === c[1] && t[1] === c[0] && t.slice(2) === c.slice(2)) // swapped
  );
}

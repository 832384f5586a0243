/**
 * What a name alone gives away. Lists trail behind: throwaway services burn through names faster than anybody
 * collects them, but they keep to the same words, the same cheap endings and the same generators. Each rule is
 * narrow, because ordinary people own odd names, too. Plain alternations, so that nothing backtracks.
 */
const MAIL = '(?:e-?)?mail';

/** Words that a throwaway service puts into its name and nobody else does, anywhere in the name. */
const SERVICE_WORDS = new RegExp(
  [
    `(?:temp|tmp|trash|fake|disposable|throw-?away|burner|discard|dummy|wegwerf|einweg|gecici)-?${MAIL}`,
    `${MAIL}-?(?:temporaire|temporar|temporal|trash|disposable|burner|jetable)`,
    `${MAIL}-?te?mp(?![a-z])`,
    `temporar(?:y|io)-?${MAIL}`,
    'correo-?temporal',
    `\\d-?min(?:ute)?s?-?${MAIL}`,
    '(?:temp|trash|fake|throw-?away|burner|disposable|minute)-?inbox',
    'guerr?illa-?mail|mailinator|yopmail|sharklasers|spamgourmet|dispostable|mailnesia|getnada|mohmal',
  ].join('|'),
);

/**
 * Another company’s mail service inside a longer name; slips of the finger (`1gmail`, `gmailcom`) are shorter. Words end
 * in a vowel, n or r and g (`racingmail`, `bigmail`), never in these letters and g.
 */
const BORROWED_BRAND =
  /[a-z]-(?:gmail|hotmail)|^(?:gmail|hotmail)(?:-[a-z]|\d\d)|[a-z][a-z0-9][bcfhjkmpqstvwxz0-9]gmail$/;

const set = (endings: string) => new Set(endings.split(' '));

/** Endings sold for next to nothing, where those who send mail will mostly not renew. */
const BURNT_ENDINGS = set(
  'autos bar beauty beer boats bond buzz cam cfd click cyou fashion fun hair help homes icu lol makeup mom monster motorcycles pics quest rest sbs skin yachts',
);
/** Endings that are cheap, yet home to real companies, too. */
const CHEAP_ENDINGS = set(
  'best biz.id blog club host id.vn ink life live my.id name.ng online press pw shop site space store tech today top vip web.id website wiki world xyz',
);

export type NameShape = 'service-word' | 'borrowed-brand' | 'mail-on-cheap-ending' | 'generated';

/** Why a name looks like a throwaway’s, if it does. */
export function throwawayShape(domain: string): NameShape | undefined {
  if (SERVICE_WORDS.test(domain)) {
    return 'service-word';
  }
  const last = domain.lastIndexOf('.');
  const second = domain.lastIndexOf('.', last - 1);
  const twofold = second > 0 && CHEAP_ENDINGS.has(domain.slice(second + 1));
  const end = twofold ? second : last;
  const label = domain.slice(domain.lastIndexOf('.', end - 1) + 1, end);
  if (BORROWED_BRAND.test(label)) {
    return 'borrowed-brand';
  }
  const ending = domain.slice(last + 1);
  const burnt = BURNT_ENDINGS.has(ending);
  if (!burnt && !twofold && !CHEAP_ENDINGS.has(ending)) {
    return undefined;
  }
  if (/mail|inbox/.test(label)) {
    return 'mail-on-cheap-ending';
  }
  return looksGenerated(label, burnt) ? 'generated' : undefined;
}

/** Numbers, and strings that no language spells; under a burnt ending shorter ones already. */
function looksGenerated(label: string, burnt: boolean): boolean {
  if (/^\d{5,}$/.test(label)) {
    return true;
  }
  if (label.length >= (burnt ? 4 : 6) && !/[aeiouy]/.test(label) && !label.startsWith('xn--')) {
    return true;
  }
  return burnt && /[bcdfghjklmnpqrstvwxz]{4}|[a-z]\d[a-z]|[a-z]\d{3}/.test(label);
}

/**
 * What the big providers allow before the @. Only rules that have always applied are listed: an old account must never
 * be refused, so length limits that changed or only apply to new accounts are left out. The owner can choose any tag
 * after a plus sign.
 */
interface Provider {
  readonly name: string;
  readonly issues: (base: string) => boolean;
  readonly rule: string;
}

const LETTER_OR_DIGIT = 1;
const DOT = 2;
const HYPHEN_OR_UNDERSCORE = 3;

const CLASS = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyz0123456789')
  CLASS[character.charCodeAt(0)] = LETTER_OR_DIGIT;
CLASS['.'.charCodeAt(0)] = DOT;
CLASS['-'.charCodeAt(0)] = HYPHEN_OR_UNDERSCORE;
CLASS['_'.charCodeAt(0)] = HYPHEN_OR_UNDERSCORE;

/** How many letters and digits `base` has, or -1 if it has a character whose class is above `highestClass`. */
function countLettersAndDigits(base: string, highestClass: number): number {
  let count = 0;
  for (let index = 0; index < base.length; index++) {
    const kind = CLASS[base.charCodeAt(index)] ?? 0;
    if (kind === 0 || kind > highestClass) return -1;
    if (kind === LETTER_OR_DIGIT) count++;
  }
  return count;
}

/** Gmail’s help, “Create a username”: 6 to 30 letters and digits; dots are allowed anywhere and do not count. */
function issuedByGmail(base: string): boolean {
  const count = countLettersAndDigits(base, DOT);
  return count >= 6 && count <= 30;
}

/** The alphabet that the other large free providers share: letters, digits, dot, hyphen, underscore. */
function issuedByMost(base: string): boolean {
  return base !== '' && countLettersAndDigits(base, HYPHEN_OR_UNDERSCORE) >= 0;
}

/** A name of digits is a QQ number: these began at 10000 and never start with a zero. */
function issuedByQq(base: string): boolean {
  if (!issuedByMost(base)) return false;
  for (let index = 0; index < base.length; index++) {
    const unit = base.charCodeAt(index);
    if (unit < 0x30 || unit > 0x39) return true;
  }
  return base.length >= 5 && !base.startsWith('0');
}

const COMMON_RULE = 'letters, digits, dots, hyphens and underscores';

const withSuffixes = (names: string, suffixes: string) =>
  names.split(' ').flatMap((name) => suffixes.split(' ').map((suffix) => `${name}.${suffix}`));

const DOMAINS_BY_PROVIDER: readonly (readonly [name: string, domains: readonly string[]])[] = [
  [
    'Outlook',
    [
      ...withSuffixes(
        'outlook',
        'com at be cl cz de dk es fr hu ie in it jp kr lv my ph pt sa sg sk co.id co.il co.nz co.th com.ar com.au com.br com.gr com.tr com.vn',
      ),
      ...withSuffixes(
        'hotmail',
        'com be ca ch cl cz de dk es fi fr gr hu it nl no pt ro rs se sg sk co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.hk com.mx com.tr com.tw com.vn',
      ),
      ...withSuffixes(
        'live',
        'com at be ca cl cn de dk fi fr hk ie in it jp nl no ph ru se co.kr co.uk co.za com.ar com.au com.mx com.my com.ph com.pt com.sg',
      ),
      'msn.com',
      'windowslive.com',
    ],
  ],
  [
    'Yahoo',
    [
      ...withSuffixes(
        'yahoo',
        'com at be ca ch cz de dk es fi fr gr hu ie in it nl no pl pt ro se co.id co.in co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.co com.hk com.mx com.my com.pe com.ph com.sg com.tr com.tw com.ve com.vn',
      ),
      'ymail.com',
      'rocketmail.com',
      'myyahoo.com',
    ],
  ],
  ['iCloud', ['icloud.com', 'me.com', 'mac.com']],
  ['Proton', ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me']],
  ['AOL', ['aol.com', 'aol.co.uk', 'aol.de', 'aol.fr', 'aim.com']],
  ['GMX', withSuffixes('gmx', 'de net at ch com fr es co.uk us info biz org')],
  ['WEB.DE', ['web.de']],
  ['mail.com', ['mail.com']],
  ['Yandex', [...withSuffixes('yandex', 'ru com ua by kz com.tr'), 'ya.ru', 'narod.ru']],
  ['Mail.ru', ['mail.ru', 'inbox.ru', 'list.ru', 'bk.ru', 'internet.ru']],
  ['Rambler', ['rambler.ru', 'lenta.ru', 'autorambler.ru', 'myrambler.ru', 'ro.ru']],
  ['NetEase', ['163.com', '126.com', 'yeah.net']],
  ['Sina', ['sina.com', 'sina.cn']],
  ['Sohu', ['sohu.com']],
  ['Foxmail', ['foxmail.com']],
  ['Naver', ['naver.com']],
  ['Kakao', ['hanmail.net', 'daum.net', 'kakao.com']],
  ['Zoho', ['zoho.com', 'zoho.eu', 'zoho.in', 'zohomail.com', 'zohomail.eu', 'zohomail.in']],
  ['Tuta', ['tuta.com', 'tuta.io', 'tutanota.com', 'tutanota.de', 'tutamail.com', 'keemail.me']],
  ['Seznam', ['seznam.cz', 'email.cz']],
  ['Wirtualna Polska', ['wp.pl', 'o2.pl']],
  ['Onet', ['onet.pl', 'onet.eu', 'op.pl']],
  ['Interia', ['interia.pl', 'interia.eu']],
  ['Rediffmail', ['rediffmail.com']],
];

const PROVIDERS = new Map<string, Provider>();
for (const [name, domains] of DOMAINS_BY_PROVIDER) {
  const provider: Provider = { name, issues: issuedByMost, rule: COMMON_RULE };
  for (const domain of domains) PROVIDERS.set(domain, provider);
}
const gmail: Provider = {
  name: 'Gmail',
  issues: issuedByGmail,
  rule: '6 to 30 letters and digits, and dots',
};
PROVIDERS.set('gmail.com', gmail);
// The contract counts jane@googlemail.com among ordinary people, so this older name of the service has no minimum
// length.
PROVIDERS.set('googlemail.com', {
  name: 'Gmail',
  issues: (base) => base !== '' && countLettersAndDigits(base, DOT) > 0,
  rule: 'letters, digits and dots',
});
PROVIDERS.set('qq.com', { name: 'QQ', issues: issuedByQq, rule: `a QQ number, or ${COMMON_RULE}` });

/** Why the provider at `asciiDomain` cannot have issued `local`, or `undefined` if it can. */
export function refusalOfProvider(local: string, asciiDomain: string): string | undefined {
  const provider = PROVIDERS.get(asciiDomain);
  if (provider === undefined) return undefined;
  const plus = local.indexOf('+');
  if (provider.issues(plus === -1 ? local : local.slice(0, plus))) return undefined;
  return `${provider.name} has no such address: it issues ${provider.rule}`;
}

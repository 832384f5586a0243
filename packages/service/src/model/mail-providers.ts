/**
 * Which address variants each mail provider delivers to the same inbox. Each rule names the page where the provider
 * documents it, or gives the reasoning if there is none. Only certain rules are listed.
 */
export interface MailProvider {
  readonly name: string;
  readonly domains: readonly string[];
  /** Characters that begin a tag; empty where no tag is known to be delivered. */
  readonly tags: string;
  /** Whether account names can contain a plus, so that it is not even a guess at a tag. */
  readonly plusInNames?: true;
  /** Characters of the local part that the provider ignores. */
  readonly unseen?: string;
  /** A character that the provider treats as another: `[from, to]`. */
  readonly equal?: readonly [string, string];
  /** The domain that all `domains` are synonyms of. If absent, each domain has its own inboxes. */
  readonly inboxDomain?: string;
  /** Whether `anything@user.domain` reaches `user@domain`. */
  readonly subdomains?: true;
}

const MICROSOFT_COUNTRIES = {
  outlook:
    'at be cl cn co.id co.il co.nz co.th com.ar com.au com.br com.gr com.hr com.pe com.tr com.ua com.vn cz de dk es fr hu ie in it jp kr lv my pa ph pl pt ro ru sa sg si sk uy',
  hotmail:
    'at be bg ca ch cl co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.bo com.br com.hk com.mx com.my com.ph com.sg com.tr com.tw com.vn cz de dk es fi fr gr hr hu ie in it jp lt lu lv my net.br nl no ph pl pt ro rs ru se sg sk',
  live: 'at be ca ch cl cn co.jp co.kr co.uk co.za com.ar com.au com.mx com.my com.ph com.pk com.pt com.sg de dk fi fr hk ie in it jp nl no ph ru se',
} as const;

const YAHOO_COUNTRIES =
  'ae at be bg ca ch cl co.id co.il co.in co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.co com.hk com.hr com.mx com.my com.pe com.ph com.sg com.tr com.tw com.ua com.ve com.vn cz de dk ee es fi fr gr hu ie in it lt lv nl no pl pt ro rs se si sk';

// fastmail.com/about/ourdomains.
const FASTMAIL_DOMAINS =
  'fastmail.com fastmail.fm 123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net allmail.net bestmail.us cluemail.com elitemail.org emailcorner.net emailengine.net emailengine.org emailgroups.net emailplus.org emailuser.net eml.cc f-m.fm fast-email.com fast-mail.org fastem.com fastemail.us fastemailer.com fastest.cc fastimap.com fastmail.ca fastmail.cn fastmail.co.uk fastmail.com.au fastmail.de fastmail.es fastmail.fr fastmail.im fastmail.in fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org fastmail.se fastmail.to fastmail.tw fastmail.uk fastmail.us fastmailbox.net fastmessaging.com fea.st fmail.co.uk fmailbox.com fmgirl.com fmguy.com ftml.net h-mail.us hailmail.net imap-mail.com imap.cc imapmail.org inoutbox.com internet-e-mail.com internet-mail.org internetemails.net internetmailing.net jetemail.net justemail.net letterboxes.org mail-central.com mail-page.com mailandftp.com mailas.com mailbolt.com mailc.net mailcan.com mailforce.net mailftp.com mailhaven.com mailingaddress.org mailite.com mailmight.com mailnew.com mailsent.net mailservice.ms mailup.net mailworks.org ml1.net mm.st myfastmail.com mymacmail.com nospammail.net ownmail.net petml.com postinbox.com postpro.net proinbox.com promessage.com realemail.net reallyfast.biz reallyfast.info rushpost.com sent.as sent.at sent.com speedpost.net speedymail.org ssl-mail.com swift-mail.com the-fastest.net the-quickest.com theinternetemail.com veryfast.biz veryspeedy.net warpmail.net xsmail.com yepmail.net your-mail.com';

// posteo.de/en/help, “Which domains are available”.
const POSTEO_DOMAINS =
  'posteo.de posteo.net posteo.org posteo.eu posteo.at posteo.ch posteo.be posteo.cl posteo.co posteo.co.uk posteo.com.br posteo.cr posteo.cz posteo.dk posteo.ee posteo.es posteo.fi posteo.gl posteo.gr posteo.hn posteo.hr posteo.hu posteo.ie posteo.in posteo.is posteo.it posteo.jp posteo.la posteo.li posteo.lt posteo.lu posteo.me posteo.mx posteo.my posteo.nl posteo.no posteo.nz posteo.pe posteo.pl posteo.pm posteo.pt posteo.ro posteo.ru posteo.se posteo.sg posteo.si posteo.tn posteo.uk posteo.us';

export const MAIL_PROVIDERS: readonly MailProvider[] = [
  {
    // support.google.com/mail/answer/7436150 (dots do not matter), /10313 (googlemail.com),
    // “Create a task-specific address” (plus).
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    tags: '+',
    unseen: '.',
    inboxDomain: 'gmail.com',
  },
  {
    // learn.microsoft.com, “Plus addressing in Exchange Online”; Outlook.com delivers the same. Dots count, and
    // outlook.com and hotmail.com are different inboxes.
    name: 'Outlook.com',
    domains: [
      ...['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'windowslive.com', 'passport.com'],
      ...Object.entries(MICROSOFT_COUNTRIES).flatMap(([name, endings]) => under(name, endings)),
    ],
    tags: '+',
  },
  {
    // support.apple.com/guide/icloud, “Use aliases”; 102540: an account of the older domains has the same name on each.
    name: 'iCloud Mail',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    tags: '+',
    inboxDomain: 'icloud.com',
  },
  {
    // help.yahoo.com SLN28338: a disposable address is the account’s one base name, a hyphen, a keyword. Yahoo IDs have
    // no hyphens. A plus is not documented, so it is a guess only; rocketmail.com, older than Yahoo, issued other
    // names, and yahoo.co.jp is another company.
    name: 'Yahoo Mail',
    domains: ['yahoo.com', 'ymail.com', 'myyahoo.com', ...under('yahoo', YAHOO_COUNTRIES)],
    tags: '-',
  },
  {
    // proton.me/support/addresses-and-aliases: plus, and one name on all domains; the name is compared without its
    // dots, hyphens and underscores, as Proton’s own open clients do.
    name: 'Proton Mail',
    domains: ['proton.me', 'protonmail.com', 'pm.me', 'protonmail.ch'],
    tags: '+',
    unseen: '.-_',
    inboxDomain: 'proton.me',
  },
  {
    // fastmail.help 360060591053: plus addressing and subdomain addressing, on every domain of Fastmail’s; the
    // domains are each their own.
    name: 'Fastmail',
    domains: FASTMAIL_DOMAINS.split(' '),
    tags: '+',
    subdomains: true,
  },
  {
    // yandex.com/support/mail, “Special email addresses”: one login on all domains, a dot and a hyphen are the same,
    // a plus begins a tag.
    name: 'Yandex Mail',
    domains: [
      ...['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'yandex.uz', 'ya.ru', 'narod.ru'],
      ...[
        'yandex.com.tr',
        'yandex.az',
        'yandex.com.am',
        'yandex.com.ge',
        'yandex.co.il',
        'yandex.ee',
        'yandex.fr',
      ],
      ...[
        'yandex.kg',
        'yandex.lt',
        'yandex.lv',
        'yandex.md',
        'yandex.tj',
        'yandex.tm',
        'yandex.eu',
        'yandex.pl',
      ],
    ],
    tags: '+',
    equal: ['.', '-'],
    inboxDomain: 'yandex.ru',
  },
  {
    // zoho.com/mail/help, “Plus addressing”.
    name: 'Zoho Mail',
    domains: [
      'zoho.com',
      'zohomail.com',
      'zoho.eu',
      'zohomail.eu',
      'zoho.in',
      'zohomail.in',
      'zoho.com.au',
      'zohomail.com.au',
    ],
    tags: '+',
  },
  // kb.mailbox.org, “Using mail extensions”.
  { name: 'mailbox.org', domains: ['mailbox.org'], tags: '+' },
  // posteo.de/en/help, “Does Posteo support plus addressing”.
  { name: 'Posteo', domains: POSTEO_DOMAINS.split(' '), tags: '+' },
  // help.runbox.com, “Plus addressing”.
  { name: 'Runbox', domains: ['runbox.com', 'runbox.no', 'rbox.me', 'rbox.co', 'runbox.us'], tags: '+' },
  // hey.com/faqs, “Does HEY support plus addressing”.
  { name: 'HEY', domains: ['hey.com'], tags: '+' },
  // pobox.help, “Plus addressing”.
  { name: 'Pobox', domains: ['pobox.com'], tags: '+' },
  // kb.mailfence.com and support.startmail.com, plus addressing.
  { name: 'Mailfence', domains: ['mailfence.com'], tags: '+' },
  { name: 'StartMail', domains: ['startmail.com'], tags: '+' },
  // Collectives and small providers that run Postfix or Dovecot with `recipient_delimiter = +` and say so.
  { name: 'Riseup', domains: ['riseup.net'], tags: '+' },
  { name: 'Disroot', domains: ['disroot.org'], tags: '+' },
  { name: 'Kolab Now', domains: ['kolabnow.com', 'mykolab.com'], tags: '+' },
  { name: 'Purelymail', domains: ['purelymail.com'], tags: '+' },
  { name: 'Migadu', domains: ['migadu.com'], tags: '+' },
  // Listed so that DNS is not asked about them. They document no tags, so a tag is only a guess.
  {
    name: 'GMX',
    domains: [
      'gmx.de',
      'gmx.net',
      'gmx.com',
      'gmx.at',
      'gmx.ch',
      'gmx.co.uk',
      'gmx.us',
      'gmx.fr',
      'gmx.es',
      'gmx.it',
      'gmx.org',
      'gmx.info',
      'gmx.eu',
      'gmx.biz',
    ],
    tags: '',
  },
  { name: 'WEB.DE', domains: ['web.de', 'email.de'], tags: '' },
  {
    name: 'mail.com',
    domains: ['mail.com', 'email.com', 'usa.com', 'post.com', 'myself.com', 'consultant.com', 'europe.com'],
    tags: '',
  },
  {
    name: 'Mail.ru',
    domains: ['mail.ru', 'inbox.ru', 'bk.ru', 'list.ru', 'internet.ru', 'xmail.ru', 'vk.com'],
    tags: '',
  },
  {
    name: 'AOL',
    domains: ['aol.com', 'aim.com', 'aol.co.uk', 'aol.fr', 'aol.de', 'verizon.net', 'love.com', 'games.com'],
    tags: '',
  },
  // Yahoo’s since 1997, with older names of its own, which can contain a hyphen.
  { name: 'Yahoo Mail', domains: ['rocketmail.com'], tags: '' },
  // tutao/tutanota#1057: accounts with a plus in their name exist, so Tuta rejects tags.
  {
    name: 'Tuta',
    domains: ['tuta.com', 'tutanota.com', 'tutanota.de', 'tutamail.com', 'tuta.io', 'keemail.me'],
    tags: '',
    plusInNames: true,
  },
  { name: 'QQ Mail', domains: ['qq.com', 'foxmail.com', 'vip.qq.com'], tags: '' },
  { name: 'NetEase', domains: ['163.com', '126.com', 'yeah.net'], tags: '' },
  { name: 'Naver', domains: ['naver.com'], tags: '' },
  { name: 'Yahoo! Japan', domains: ['yahoo.co.jp', 'ymail.ne.jp'], tags: '' },
];

/**
 * The company that hosts a domain’s mail, by the names of its mail hosts. All deliver `+` tags; dots count everywhere.
 */
export interface MailHosting {
  readonly name: string;
  /** The host names or their parent domains. */
  readonly hosts: readonly string[];
  /** Whether `anything@user.domain` may reach `user@domain`: the domain’s owner decides, so it is a guess. */
  readonly subdomains?: true;
}

export const MAIL_HOSTINGS: readonly MailHosting[] = [
  // support.google.com/a/answer/33327 and /7436150: plus yes, dots count with a work or school account.
  { name: 'Google Workspace', hosts: ['aspmx.l.google.com', 'smtp.google.com', 'googlemail.com'] },
  // learn.microsoft.com, “Plus addressing in Exchange Online”: on unless switched off. mx.microsoft is the DNSSEC form.
  { name: 'Microsoft 365', hosts: ['mail.protection.outlook.com', 'mx.microsoft'] },
  // fastmail.help: swap, drop or reject, per domain.
  { name: 'Fastmail', hosts: ['messagingengine.com'], subdomains: true },
  { name: 'Proton Mail', hosts: ['protonmail.ch'] },
  { name: 'iCloud Mail', hosts: ['mail.icloud.com'] },
  {
    name: 'Zoho Mail',
    hosts: [
      'zoho.com',
      'zoho.eu',
      'zoho.in',
      'zoho.com.au',
      'zoho.jp',
      'zohomail.com',
      'zohocloud.ca',
      'zoho.sa',
    ],
  },
  { name: 'Yandex 360', hosts: ['mx.yandex.net', 'mx.yandex.ru'] },
  { name: 'mailbox.org', hosts: ['mailbox.org'] },
  { name: 'Runbox', hosts: ['runbox.com'] },
  { name: 'HEY', hosts: ['hey.com'] },
  { name: 'Migadu', hosts: ['migadu.com'] },
  { name: 'Purelymail', hosts: ['purelymail.com'] },
  // docs.rackspace.com, “Plus addressing”.
  { name: 'Rackspace Email', hosts: ['emailsrvr.com'] },
  { name: 'Gandi', hosts: ['mail.gandi.net'] },
  { name: 'Infomaniak', hosts: ['infomaniak.ch'] },
  { name: 'Mailfence', hosts: ['mailfence.com'] },
  { name: 'StartMail', hosts: ['startmail.com'] },
  { name: 'MXroute', hosts: ['mxrouting.net', 'mxlogin.com'] },
];

function under(name: string, endings: string): readonly string[] {
  return endings.split(' ').map((ending) => `${name}.${ending}`);
}

const PROVIDER_DOMAINS: ReadonlySet<string> = new Set(MAIL_PROVIDERS.flatMap(({ domains }) => domains));

/** Whether people who have nothing to do with each other share the domain, as they do gmail.com. */
export function isMailProvider(domain: string): boolean {
  return PROVIDER_DOMAINS.has(domain);
}

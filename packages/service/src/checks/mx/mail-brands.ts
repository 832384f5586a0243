/**
 * The names that people mean when they mistype a mail domain, written down by hand from what large consumer providers
 * and access networks give their customers.
 *
 * - `giant`: so many people have one that nearly any slip is more likely than another domain of that spelling.
 * - `distinctive`: an invented or compound word; few other names come near it.
 * - `plain`: a short or ordinary word. Other words come near it, so only the likeliest slips are corrected.
 * - `exact`: so short that everything near it is somebody else’s. Only the suffix is corrected.
 */
export type BrandKind = 'giant' | 'distinctive' | 'plain' | 'exact';

export interface MailBrand {
  readonly name: string;
  readonly kind: BrandKind;
  /** What follows the name, the usual one first. */
  readonly suffixes: readonly string[];
}

/** Best known first: of two equally near brands the first one wins. */
const table: Readonly<Record<BrandKind, string>> = {
  giant: `
    gmail com
    yahoo com co.uk fr de it es ca in co.in co.jp com.br com.mx com.ar com.au com.hk com.sg com.tw com.ph com.my com.vn
      com.tr com.co com.pe com.ve com.cn co.id co.nz co.kr co.th co.za co.il cl cn cz dk fi gr hu ie nl no pl pt ro ru se be at ch
      bg hr lt lv ee sk si ua
    hotmail com co.uk fr de it es be nl ca se no dk fi gr ch at cz hu ro sk rs lt lv ru cl my ph sg jp in pt ie
      co.jp co.il co.nz co.th co.id co.in co.kr co.za com.br com.ar com.mx com.au com.tr com.hk com.tw com.vn com.pe com.co com.ve
    outlook com fr de es it pt be at ie dk cz hu sk gr in jp kr cl lv ph sa sg my
      com.br com.ar com.au com.tr com.gr com.vn com.pe co.th co.id co.il co.nz
    icloud com
    aol com co.uk de fr it es ca com.au com.br com.mx in jp nl pl se
    msn com
  `,
  distinctive: `
    googlemail com
    live com
    windowslive com
    mail ru
    att net
    zoho com eu in
    juno com
    xtra co.nz
    shaw ca
    rocketmail com
    protonmail com ch
    comcast net
    verizon net
    sbcglobal net
    bellsouth net
    earthlink net
    optonline net
    windstream net
    centurylink net
    mindspring com
    roadrunner com
    suddenlink net
    embarqmail com
    cableone net
    netzero net com
    btinternet com
    virginmedia com
    ntlworld com
    talktalk net
    blueyonder co.uk
    sympatico ca
    videotron ca
    bigpond com net.au
    optusnet com.au
    iinet net.au
    wanadoo fr
    laposte net
    numericable fr
    club-internet fr
    t-online de
    freenet de
    fastwebnet it
    virgilio it
    tiscali it co.uk
    proximus be
    xs4all nl
    bluewin ch
    hispeed ch
    telefonica net
    yandex ru com ua by kz com.tr
    seznam cz
    citromail hu
    freemail hu
    rediffmail com
    hanmail net
    hushmail com
    fastmail com fm
    tutanota com de
    aliyun com
    btconnect com
    frontiernet net
    ameritech net
    pacbell net
    netscape net
    compuserve com
    docomo ne.jp
  `,
  plain: `
    live co.uk fr de it nl be ca se no dk fi at ie cl cn hk jp in ru ph com.au com.mx com.ar com.pt com.my com.sg co.za co.kr
    mail com de ee bg
    cox net
    charter net
    frontier com
    rogers com
    telus net
    bell net
    sky com
    orange fr es
    free fr
    neuf fr
    gmx de net at ch com fr us co.uk
    web de
    arcor de
    libero it
    alice it
    telenet be
    skynet be
    hetnet nl
    ziggo nl
    kpnmail nl
    planet nl
    home nl
    terra com.br es
    uol com.br
    globo com
    inbox ru lv com
    list ru
    onet pl eu
    gazeta pl
    interia pl eu
    centrum cz sk
    naver com
    daum net
    nifty com
    sina com cn
    sohu com
    proton me
    telia com
    rambler ru
    foxmail com
    posteo de net
    ymail com
    google com
    sfr fr
    bol com.br
    prodigy net
    lycos com
    excite com
    sapo pt
    chello nl at
    upcmail nl hu
  `,
  exact: `
    me com
    mac com
    aim com
    qq com
    163 com
    126 com
    email com
    hey com
    wp pl
    o2 pl
    abv bg
    ukr net
    bk ru
    tin it
    ig com.br
    yeah net
    nate com
  `,
};

export const MAIL_BRANDS: readonly MailBrand[] = (
  ['giant', 'distinctive', 'plain', 'exact'] as const
).flatMap((kind) =>
  table[kind]
    .trim()
    .split(/\n {4}(?! )/)
    .map((line) => {
      const [name = '', ...suffixes] = line.trim().split(/\s+/);
      return { name, kind, suffixes };
    }),
);

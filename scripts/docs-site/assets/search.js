/** The search, with MiniSearch over the sections of all pages. `site.js` loads it with its index when it is needed. */
globalThis.posternSearch = (() => {
  const MOST_RESULTS = 20;
  const folder = new URL('.', document.currentScript.src);
  /** What people type, and what these pages call it. */
  const SYNONYMS = {
    'asp.net': ['.net'],
    blacklist: ['list'],
    bot: ['automated'],
    captcha: ['bot', 'automated'],
    chargeback: ['outcome'],
    csharp: ['.net'],
    csp: ['content-security-policy', 'script-src'],
    delete: ['erase', 'forget'],
    django: ['python'],
    flask: ['python'],
    fingerprinting: ['fingerprint'],
    helm: ['kubernetes'],
    gotrue: ['supabase'],
    invite: ['member'],
    k8s: ['kubernetes'],
    laravel: ['php'],
    mock: ['testing'],
    oidc: ['sign-on'],
    positive: ['alarm'],
    postgre: ['postgresql'],
    privacy: ['gdpr'],
    rail: ['ruby'],
    restore: ['backup'],
    saml: ['sign-on'],
    spring: ['java'],
    sso: ['sign-on'],
    throttle: ['rate'],
    throwaway: ['disposable'],
    unlimited: ['quota'],
    whitelist: ['list'],
  };

  const processTerm = (term) => term.toLowerCase().replace(/(?<=.{3}[^s])s$/, '');
  const search = new globalThis.MiniSearch({
    fields: ['page', 'title', 'text'],
    storeFields: ['url', 'page', 'heading', 'text', 'weight'],
    // The first section of a page has the page’s own title.
    extractField: (section, field) => (field === 'title' ? section.heading || section.page : section[field]),
    processTerm,
    // Names such as POSTERN_PLANS, `asp.net` and `allow-domain` are found whole.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_.-]+|[.-]+(?=\s|$)/u).filter(Boolean),
    searchOptions: {
      boost: { page: 3, title: 4 },
      boostDocument: (_id, _term, { weight }) => weight,
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    },
  });
  search.addAll(globalThis.posternSearchIndex.map((section, id) => ({ id, ...section })));

  /** `next.js` and `nextjs` are Next here. */
  const withoutJs = (word) => word.replace(/(?<=.{3})\.?js$/i, '');
  const withSynonyms = (word) => ({
    combineWith: 'OR',
    queries: [...new Set([word, withoutJs(word)]), ...(SYNONYMS[processTerm(word)] ?? [])],
  });
  /** Words of questions, which nearly every section has. */
  const STOP_WORDS = new Set(
    'a an and are can do does for from how i in is it my of on the this to was what when why with'.split(' '),
  );

  function find(text) {
    const words = text.split(/\s+/).filter(Boolean);
    const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
    const queries = (telling.length > 0 ? telling : words).map(withSynonyms);
    const all = search.search({ combineWith: 'AND', queries });
    const found = all.length > 0 ? all : search.search({ combineWith: 'OR', queries });
    return found.slice(0, MOST_RESULTS);
  }

  function resultItem({ url, page, heading, text, terms }) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = new URL(`../${url}`, folder);
    const title = document.createElement('strong');
    title.textContent = heading === '' ? page : `${page} › ${heading}`;
    const excerpt = document.createElement('span');
    excerpt.append(...marked(excerptOf(text, terms), terms));
    link.append(title, excerpt);
    item.append(link);
    return item;
  }

  function excerptOf(text, words) {
    const lower = text.toLowerCase();
    const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    const at = places.length === 0 ? 0 : Math.min(...places);
    const start = at > 60 ? text.lastIndexOf(' ', at - 40) + 1 : 0;
    return `${start > 0 ? '… ' : ''}${text.slice(start, start + 180)}${text.length > start + 180 ? ' …' : ''}`;
  }

  function marked(text, words) {
    const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
    return text.split(new RegExp(`(${pattern})`, 'i')).map((part, index) => {
      if (index % 2 === 0) return part;
      const mark = document.createElement('mark');
      mark.textContent = part;
      return mark;
    });
  }

  function addKeys(field, input, results) {
    document.addEventListener('click', (event) => {
      if (!field.contains(event.target)) results.hidden = true;
    });
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        input.value = '';
        results.hidden = true;
        input.focus();
      }
      const links = [...results.querySelectorAll('a')];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === 'Enter' && event.target === input) links[0]?.click();
      if (step === undefined || links.length === 0) return;
      event.preventDefault();
      (links[links.indexOf(document.activeElement) + step] ?? input).focus();
    });
  }

  let hasKeys = false;
  return (field) => {
    const input = field.querySelector('input');
    const results = field.querySelector('.results');
    if (!hasKeys) addKeys(field, input, results);
    hasKeys = true;
    results.hidden = input.value.trim() === '';
    if (results.hidden) return;
    const found = find(input.value);
    const count =
      found.length === MOST_RESULTS ? `The best ${MOST_RESULTS} results` : `Results: ${found.length}`;
    results.querySelector('p').textContent = found.length === 0 ? 'Nothing found.' : count;
    results.querySelector('ol').replaceChildren(...found.map(resultItem));
  };
})();

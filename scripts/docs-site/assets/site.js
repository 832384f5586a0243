/** The search and the buttons that copy code. The pages can be read without this script. */
(() => {
  const folder = new URL('.', document.currentScript.src);
  const MOST_RESULTS = 20;

  addSearch(document.querySelector('.search'));
  if (navigator.clipboard) for (const block of document.querySelectorAll('pre')) addCopyButton(block);

  function addSearch(search) {
    const input = search.querySelector('input');
    const results = search.querySelector('.results');
    search.hidden = false;
    input.addEventListener('focus', () => void loadIndex().then(show));
    input.addEventListener('input', () => void loadIndex().then(show));
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && search.contains(document.activeElement)) {
        input.value = '';
        show();
        input.focus();
      }
      const typing = event.target.closest('input, textarea, select, [contenteditable]');
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        input.focus();
      }
    });
    document.addEventListener('click', (event) => {
      if (!search.contains(event.target)) results.hidden = true;
    });
    search.addEventListener('keydown', (event) => {
      const links = [...results.querySelectorAll('a')];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === 'Enter' && event.target === input) links[0]?.click();
      if (step === undefined || links.length === 0) return;
      event.preventDefault();
      (links[links.indexOf(document.activeElement) + step] ?? input).focus();
    });

    function show() {
      const words = wordsOf(input.value);
      results.hidden = words.length === 0;
      if (results.hidden) return;
      const found = find(words);
      const count =
        found.length === MOST_RESULTS ? `The best ${MOST_RESULTS} results` : `Results: ${found.length}`;
      results.querySelector('p').textContent = found.length === 0 ? 'Nothing found.' : count;
      results.querySelector('ol').replaceChildren(...found.map((section) => resultItem(section, words)));
    }
  }

  let loading;
  function loadIndex() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = new URL('search-index.js', folder);
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
    return loading;
  }

  function wordsOf(text) {
    return text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  /** The sections that have every word, best first: a word in a heading says more than one in the text. */
  function find(words) {
    return globalThis.posternSearchIndex
      .map((section) => ({ section, score: scoreOf(section, words) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, MOST_RESULTS)
      .map(({ section }) => section);
  }

  function scoreOf({ page, heading, text }, words) {
    let score = 0;
    for (const word of words) {
      const found =
        20 * hits(heading, word) +
        (heading === '' ? 15 : 2) * hits(page, word) +
        Math.min(hits(text, word), 8);
      if (found === 0) return 0;
      score += found;
    }
    if (words.length > 1 && text.toLowerCase().includes(words.join(' '))) score += 10;
    return score;
  }

  /** Whole words and beginnings of words count more than other places. */
  function hits(text, word) {
    const parts = text.toLowerCase().split(word);
    let count = 0;
    for (const before of parts.slice(0, -1)) count += /[\p{L}\p{N}]$/u.test(before) ? 0.25 : 1;
    return count;
  }

  function resultItem({ url, page, heading, text }, words) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = new URL(`../${url}`, folder);
    const title = document.createElement('strong');
    title.textContent = heading === '' ? page : `${page} › ${heading}`;
    const excerpt = document.createElement('span');
    excerpt.append(...marked(excerptOf(text, words), words));
    link.append(title, excerpt);
    item.append(link);
    return item;
  }

  function excerptOf(text, words) {
    const lower = text.toLowerCase();
    const at = Math.max(
      0,
      Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)),
    );
    const start = Number.isFinite(at) && at > 60 ? text.lastIndexOf(' ', at - 40) + 1 : 0;
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

  function addCopyButton(block) {
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    const button = document.createElement('button');
    button.className = 'copy';
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent.trimEnd());
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    frame.append(block, button);
  }
})();

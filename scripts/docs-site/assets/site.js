/** Search, colours, buttons that copy code, and the reader’s own host in code. The pages can be read without this script. */
(() => {
  const folder = new URL('.', document.currentScript.src);
  const root = document.documentElement;

  addSearch(document.querySelector('.search'));
  addThemeSwitch(document.querySelector('.theme'));
  for (const block of document.querySelectorAll('pre')) {
    fillInHost(block);
    if (navigator.clipboard) addCopyButton(block);
  }

  /** The search itself is loaded when the reader wants to search. */
  function addSearch(search) {
    const input = search.querySelector('input');
    search.hidden = false;
    let loading;
    const load = () => {
      loading ??= ['minisearch.js', 'search-index.js', 'search.js'].reduce(
        (before, name) => before.then(() => loadScript(name)),
        Promise.resolve(),
      );
      return loading.then(() => globalThis.posternSearch(search));
    };
    for (const event of ['focus', 'input']) input.addEventListener(event, () => void load());
    document.addEventListener('keydown', (event) => {
      const typing = event.target.closest('input, textarea, select, [contenteditable]');
      const modified = event.ctrlKey || event.metaKey || event.altKey;
      const isShortcut =
        (event.key === '/' && !typing && !modified) ||
        ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k');
      if (!isShortcut) return;
      event.preventDefault();
      input.focus();
    });
  }

  function loadScript(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = new URL(name, folder);
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
  }

  function addThemeSwitch(button) {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
    const show = () => {
      button.textContent = isDark() ? 'Light' : 'Dark';
      for (const source of document.querySelectorAll('picture source'))
        source.media = isDark() ? 'all' : 'not all';
    };
    button.hidden = false;
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      try {
        localStorage.setItem('postern-theme', root.dataset.theme);
      } catch {
        // Without storage the choice holds for this page.
      }
      show();
    });
    system.addEventListener('change', show);
    show();
  }

  /** The reader’s own service has these pages, so its address can replace the example’s. */
  function fillInHost(block) {
    if (!location.protocol.startsWith('http')) return;
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      texts.currentNode.data = texts.currentNode.data.replaceAll(
        'https://postern.example.com',
        location.origin,
      );
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

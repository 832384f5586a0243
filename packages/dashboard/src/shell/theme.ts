export type Theme = 'system' | 'light' | 'dark';

const KEY = 'postern-theme';

export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    // A browser that blocks site data throws. The page works without.
    return 'system';
  }
}

const listeners = new Set<() => void>();

export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // The choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** Runs before the page is drawn, so that it does not change colours afterwards. The dashboard keeps its choice under the same name. */
try {
  const theme = localStorage.getItem('postern-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be switched off. Then the system’s setting holds.
}

/** Explains a line of the allowed domains while it is typed. The service decides what it really allows. */
export function explainPattern(pattern: string): string {
  const text = pattern.trim().toLowerCase().replace(/\/$/, '');
  if (text.startsWith('app://')) {
    return text.length > 'app://'.length
      ? `the mobile app ${text.slice('app://'.length)}`
      : 'name the app after app://';
  }
  const app = /^(capacitor|ionic|tauri|(?:chrome|moz|safari-web)-extension):\/\/(.*)$/.exec(text);
  if (app) return app[2] === '' ? `write out what follows ${app[1]}://` : `exactly ${text}`;
  const scheme = /^(https?):\/\//.exec(text)?.[1];
  const rest = scheme === undefined ? text : text.slice(scheme.length + 3);
  if (rest === '*' || rest === '') return 'matches nothing: name a host';
  if (/[/?#@\s]/.test(rest)) return 'matches nothing: only scheme, host and port, no path';
  const colon = rest.lastIndexOf(':');
  const bracketed = rest.endsWith(']');
  const host = colon > 0 && !bracketed ? rest.slice(0, colon) : rest;
  const port = colon > 0 && !bracketed ? rest.slice(colon + 1) : undefined;
  if (host.slice(1).includes('*')) return 'matches nothing: a star stands only at the beginning, as *.';
  const where = host.startsWith('*.')
    ? `any subdomain of ${host.slice(2)}, at any depth, but not ${host.slice(2)} itself`
    : `exactly ${host}`;
  const by = scheme === undefined ? 'http or https' : `${scheme} only`;
  if (port === '*') return `${where}, on any port, ${by}`;
  return `${where}, ${port === undefined ? 'default port' : `port ${port}`}, ${by}`;
}

/** The URL of one of the service’s paths. People often set `baseUrl` with a slash at its end. */
export function serviceUrl(baseUrl: string, path: string): string {
  return `${baseUrl.trim().replace(/\/+$/, '')}${path}`;
}

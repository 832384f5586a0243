import type { Config } from '@postern/service/config';

/** The address that people open: the public one, or else the one that the service listens on. */
export function addressOf(config: Config): string {
  const { publicUrl, host, port, tls } = config;
  if (publicUrl !== undefined) return publicUrl;
  const name = host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`;
}

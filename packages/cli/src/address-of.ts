import type { Config } from '@postern/service/config';

/** The address that people open: the public one, or else the one that the service listens on. */
export function addressOf(config: Config): string {
  return config.publicUrl?.toString() ?? listenAddress(config);
}

export function listenAddress({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`;
}

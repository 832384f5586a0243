import type { Config } from '@postern/service/config';

export function addressOf({ publicUrl, host, port, tls }: Config): string {
  return publicUrl?.toString() ?? `${tls === undefined ? 'http' : 'https'}://${host}:${port}`;
}

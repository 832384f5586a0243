import type { CheckResult } from '@postern/contract';

/** Where the domain’s mail goes, in words. */
export function mailHosts(mx: CheckResult | undefined): string {
  const { records, implicit, status, reason } = mx?.metadata ?? {};
  if (status === 'unknown') return `not known (${typeof reason === 'string' ? reason : 'no answer'})`;
  if (implicit === true) return 'no MX record; the domain’s own address takes mail';
  const names = (Array.isArray(records) ? records : []).map(({ exchange }) => String(exchange));
  return names.length === 0 ? 'none' : names.join(', ');
}

import type { Estimate } from '@postern/contract/dashboard';
import { count } from '../format.ts';

/** Nothing if the number is exact. */
export function rangeText({ low, high }: Pick<Estimate, 'low' | 'high'>): string {
  return low === high ? '' : `, ${count(low)} to ${count(high)}`;
}

import { readRows } from '../../lists/read-list.ts';

/** How sure a near miss of the name is to be one; the head of the list explains each. */
export type BrandKind = 'giant' | 'distinctive' | 'plain' | 'exact';

export interface MailBrand {
  readonly name: string;
  readonly kind: BrandKind;
  /** What follows the name, the usual one first. */
  readonly suffixes: readonly string[];
}

/** Best known first: of two equally near brands the first one wins. */
export const MAIL_BRANDS: readonly MailBrand[] = readRows('domains/mail-brands.tsv').map(
  ([kind, name = '', suffixes = '']) => ({ name, kind: kind as BrandKind, suffixes: suffixes.split(' ') }),
);

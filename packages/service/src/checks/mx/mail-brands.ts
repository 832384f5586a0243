import { readRows } from '../../lists/read-list.ts';

/** How likely a similar name is a misspelling of this one. The head of the list file explains each kind. */
type BrandKind = 'giant' | 'distinctive' | 'plain' | 'exact';

export interface MailBrand {
  readonly name: string;
  readonly kind: BrandKind;
  /** The suffixes of the brand, the usual one first. */
  readonly suffixes: readonly string[];
}

/** Best known first. If two brands are equally near, the first one wins. */
export const MAIL_BRANDS: readonly MailBrand[] = readRows('domains/mail-brands.tsv').map(
  ([kind, name = '', suffixes = '']) => ({ name, kind: kind as BrandKind, suffixes: suffixes.split(' ') }),
);

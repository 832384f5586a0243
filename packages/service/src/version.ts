/** The product’s version. A test checks that it equals package.json’s. */
export const VERSION = '0.1.0';

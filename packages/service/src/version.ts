import { readFileSync } from 'node:fs';

/** The product’s version. A test checks that it equals package.json’s. */
export const VERSION = '0.1.0';

/** The commit that was built, or `null` if the build could not tell. `scripts/build-steps.mjs` writes it. */
export const COMMIT: string | null = readCommit();

/** The version with the start of the commit: `1.4.0 (977d109)`. */
export const FULL_VERSION = COMMIT === null ? VERSION : `${VERSION} (${COMMIT.slice(0, 7)})`;

function readCommit(): string | null {
  try {
    return readFileSync(new URL('commit.txt', import.meta.url), 'utf8').trim() || null;
  } catch {
    return null;
  }
}

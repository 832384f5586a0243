import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';

/** What some test files need and not every machine can have. `test-needs.ts` provides it for a whole run. */
export type Need = 'browser' | 'postgres';

export interface Missing {
  /** Why it is missing. */
  readonly reason: string;
  /** The one command that changes it. */
  readonly command: string;
}

export type NeedAnswer = { readonly found: unknown } | { readonly missing: Missing };

/** A test file needs what these modules start, if it imports one of them itself or through its support files. */
const PROVIDERS: Readonly<Record<Need, RegExp>> = {
  browser: /\/sdk\/test\/support\/chromium\.ts$/,
  postgres: /\/service\/test\/support\/postgres(-process)?\.ts$/,
};

/** Asks the test run. `undefined` outside of one. The first to ask waits until it is installed or started. */
export async function askForNeed(need: Need): Promise<NeedAnswer | undefined> {
  const address = process.env.TEST_NEEDS_URL;
  if (address === undefined) return undefined;
  // `fetch` gives up after five minutes; installing a browser may take longer.
  const text = await new Promise<string>((resolve, reject) => {
    // A connection that was kept open might be closed by the other side just now.
    get(`${address}/${need}`, { agent: false }, (answer) => {
      let body = '';
      answer.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      answer.on('end', () => resolve(body));
    }).on('error', reject);
  });
  return JSON.parse(text) as NeedAnswer;
}

export async function isMissing(need: Need): Promise<boolean> {
  const answer = await askForNeed(need);
  return answer !== undefined && 'missing' in answer;
}

/** What a test file cannot do without. `await import()` of a provider is for files that can. */
export function needsOf(testFile: string): Need[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)(?! type\b)\s[^;]*?\bfrom\s+'(\.[^']+)'/gm,
    );
    for (const [, path = ''] of imports) {
      const target = join(dirname(file), path);
      if (target.includes('/test/')) visit(target);
    }
  };
  visit(testFile);
  return (Object.keys(PROVIDERS) as Need[]).filter((need) =>
    [...seen].some((file) => PROVIDERS[need].test(file)),
  );
}

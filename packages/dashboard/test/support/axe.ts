import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: { readonly html: string; readonly failureSummary: string }[];
}

const SERIOUS = ['serious', 'critical'];

/**
 * Where most of a page was already looked at: only what stops people. Contrast takes axe half of its time, and
 * `pages.test.ts` looks at it on every page; TEST_SLOW=1 does so here, too.
 */
export const seriousViolations = (page: Page): Promise<string[]> =>
  violations(page, undefined, SERIOUS, process.env.TEST_SLOW === '1');

/**
 * The problems that axe finds on the page, in words for a failed test. To save time it looks only at the first rows of a
 * table, because the others are made the same way, and only at an open dialog or menu, not at the page behind it.
 * `rules`: only these.
 */
export async function violations(
  page: Page,
  rules?: readonly string[],
  impacts: readonly string[] = ['moderate', ...SERIOUS],
  contrast = true,
): Promise<string[]> {
  // Run through the debugger, because the page’s content security policy forbids added scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  const options = {
    // Without details that take time to collect: what passed, and where a fault is, which its HTML says.
    resultTypes: ['violations'],
    selectors: false,
    ...(!contrast && { rules: { 'color-contrast': { enabled: false } } }),
    ...(rules && { runOnly: rules }),
  };
  const found = await page.evaluate(async (options) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (context: object, options: object) => Promise<{ violations: Violation[] }> };
    };
    const context = {
      include: document.querySelector('dialog:modal, [role="dialog"], [role="menu"]') ?? document,
      exclude: [['tbody tr:nth-child(n+7)']],
    };
    return (await axe.run(context, options)).violations;
  }, options);
  return found
    .filter(({ impact }) => impacts.includes(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary}`),
    );
}

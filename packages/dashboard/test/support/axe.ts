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

/** Where most of a page was already looked at: only what stops people. */
export const seriousViolations = (page: Page): Promise<string[]> => violations(page, undefined, SERIOUS);

/**
 * The problems that axe finds on the page, in words for a failed test. To save time it looks only at the first rows of a
 * table, because the others are made the same way, and only at an open dialog or menu, not at the page behind it.
 * `rules`: only these.
 */
export async function violations(
  page: Page,
  rules?: readonly string[],
  impacts: readonly string[] = ['moderate', ...SERIOUS],
): Promise<string[]> {
  // Run through the debugger, because the page’s content security policy forbids added scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (context: object, options: object) => Promise<{ violations: Violation[] }> };
    };
    const context = {
      include: document.querySelector('dialog:modal, [role="dialog"], [role="menu"]') ?? document,
      exclude: [['tbody tr:nth-child(n+7)']],
    };
    // Without details of what passed, which take time to collect.
    return (await axe.run(context, { resultTypes: ['violations'], ...(runOnly && { runOnly }) })).violations;
  }, rules);
  return found
    .filter(({ impact }) => impacts.includes(impact))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary}`),
    );
}

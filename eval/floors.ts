import { ratio } from './figures.ts';
import type { SuiteResult } from './suite.ts';

/** The lowest allowed value of each of our figures, by suite and figure. */
export type Floors = Readonly<Record<string, Readonly<Record<string, number>>>>;

export type Measured = SuiteResult | { readonly missing: string };

/** The figures below their floor, one sentence each. A figure that has a floor and was not measured counts too. */
export function breaches(floors: Floors, measured: ReadonlyMap<string, Measured>): readonly string[] {
  const found: string[] = [];
  for (const [suite, figures] of Object.entries(floors)) {
    const result = measured.get(suite);
    if (result === undefined || 'missing' in result) {
      found.push(`${suite}: ${result?.missing ?? 'no such suite'}`);
      continue;
    }
    for (const [name, floor] of Object.entries(figures)) {
      const figure = result.figures[name];
      if (figure === undefined) found.push(`${suite}.${name}: not measured`);
      else if (ratio(figure) < floor) {
        found.push(`${suite}.${name}: ${figure.hits} of ${figure.of} is below the floor of ${floor}`);
      }
    }
  }
  return found;
}

/**
 * The shape of a local part that has letters and digits: `a` for letters, `9` for each digit, so that `jane.doe84` is
 * `a.a99`. Digits in several places are `mixed`. Scripts that make up addresses keep to one shape.
 *
 * `undefined` without digits, because a company’s people are all `first.last`, and without letters, because some
 * providers issue numbers. Tags are not looked at.
 */
export function localPartShape(local: string): string | undefined {
  const plus = local.indexOf('+');
  const name = plus > 0 ? local.slice(0, plus) : local;
  if (!/^[a-z0-9._-]+$/.test(name) || !/[a-z]/.test(name)) return undefined;
  const digitRuns = name.match(/\d+/g)?.length ?? 0;
  if (digitRuns === 0) return undefined;
  return digitRuns > 1 ? 'mixed' : name.replace(/[a-z]+/g, 'a').replace(/\d/g, '9');
}

const CODE_0 = 0x30;
const CODE_9 = 0x39;
const CODE_A = 0x61;
const CODE_Z = 0x7a;

/**
 * The shape of a local part that has letters and digits: `a` for letters, `9` for each digit, so that `jane.doe84` is
 * `a.a99`. Digits in several places are `mixed`. Scripts that make up addresses keep to one shape.
 *
 * `undefined` without digits, because a company’s people are all `first.last`, and without letters, because some
 * providers issue numbers. Tags are not looked at. Every request needs it.
 */
export function localPartShape(local: string): string | undefined {
  const plus = local.indexOf('+');
  const end = plus > 0 ? plus : local.length;
  // Most names have no digits, and then the rest need not be read.
  if (!/[0-9]/.test(local)) return undefined;
  let shape = '';
  let digitRuns = 0;
  let hasLetters = false;
  let last = '';
  for (let at = 0; at < end; at += 1) {
    const kind = kindOf(local, at);
    if (kind === undefined) return undefined;
    if (kind === '9' && last !== '9') digitRuns += 1;
    if (kind === 'a') hasLetters = true;
    if (kind !== 'a' || last !== 'a') shape += kind;
    last = kind;
  }
  if (digitRuns === 0 || !hasLetters) return undefined;
  return digitRuns > 1 ? 'mixed' : shape;
}

function kindOf(local: string, at: number): string | undefined {
  const code = local.charCodeAt(at);
  if (code >= CODE_A && code <= CODE_Z) return 'a';
  if (code >= CODE_0 && code <= CODE_9) return '9';
  const sign = local.charAt(at);
  return sign === '.' || sign === '_' || sign === '-' ? sign : undefined;
}

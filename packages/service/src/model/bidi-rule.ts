/** The blocks whose letters run from right to left (Hebrew, Arabic and their neighbours, presentation forms, old scripts). */
const RIGHT_TO_LEFT =
  /[\u{0590}-\u{08FF}\u{FB1D}-\u{FDFF}\u{FE70}-\u{FEFF}\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const LETTER = /\p{L}/u;
const MARK = /\p{M}/u;
const ARABIC_NUMBER = /[\u{0660}-\u{0669}\u{10D30}-\u{10D39}\u{10E60}-\u{10E7E}]/u;
const EUROPEAN_NUMBER = /[0-9\u{06F0}-\u{06F9}]/u;

/** L and R are letters by direction, EN and AN numbers, NSM marks; ON stands for all the rest. */
type Direction = 'L' | 'R' | 'EN' | 'AN' | 'NSM' | 'ON';

/** RFC 5893, section 2: in a name with a letter from right to left, no label may be drawn out of order. */
export function followsBidiRule(labels: readonly string[]): boolean {
  if (!labels.some((label) => RIGHT_TO_LEFT.test(label))) return true;
  return labels.every((label) => labelFollowsBidiRule(Array.from(label, directionOf)));
}

function labelFollowsBidiRule(directions: readonly Direction[]): boolean {
  const first = directions[0];
  const last = directions.findLast((direction) => direction !== 'NSM');
  const has = (direction: Direction) => directions.includes(direction);
  if (first === 'R') {
    const endsWell = last === 'R' || last === 'EN' || last === 'AN';
    return endsWell && !has('L') && !(has('EN') && has('AN'));
  }
  return first === 'L' && (last === 'L' || last === 'EN') && !has('R') && !has('AN');
}

function directionOf(character: string): Direction {
  if (MARK.test(character)) return 'NSM';
  if (EUROPEAN_NUMBER.test(character)) return 'EN';
  if (ARABIC_NUMBER.test(character)) return 'AN';
  if (RIGHT_TO_LEFT.test(character)) return 'R';
  return LETTER.test(character) ? 'L' : 'ON';
}

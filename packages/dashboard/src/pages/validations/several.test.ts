import { expect, it } from 'vitest';
import { pickNext, readSeveral, severalText } from './several.ts';

it('goes from wanted to unwanted to neither, and keeps the other values', () => {
  const wanted = pickNext(readSeveral('mx'), 'alias');
  expect(wanted).toBe('mx,alias');
  const unwanted = pickNext(readSeveral(wanted), 'alias');
  expect(unwanted).toBe('mx,!alias');
  expect(severalText(readSeveral(unwanted), (name) => name.toUpperCase())).toBe('MX, not ALIAS');
  expect(pickNext(readSeveral(unwanted), 'alias')).toBe('mx');
});

import { expect, it } from 'vitest';
import { pickNext, readSeveral, severalText, toggled, without } from './several.ts';

it('goes from wanted to unwanted to neither, and keeps the other values', () => {
  const wanted = pickNext(readSeveral('mx'), 'alias');
  expect(wanted).toBe('mx,alias');
  const unwanted = pickNext(readSeveral(wanted), 'alias');
  expect(unwanted).toBe('mx,!alias');
  expect(severalText(readSeveral(unwanted), (name) => name.toUpperCase())).toBe('MX, not ALIAS');
  expect(pickNext(readSeveral(unwanted), 'alias')).toBe('mx');
});

it('turns one value round, and removes one', () => {
  expect(toggled('NZ,!DE', 'DE')).toBe('NZ,DE');
  expect(toggled('NZ,!DE', 'NZ')).toBe('!NZ,!DE');
  expect(without('NZ,!DE', 'DE')).toBe('NZ');
  expect(without('NZ', 'NZ')).toBe('');
});

import { expect, it } from 'vitest';
import { REMARKS, withSection } from './results.ts';

const FILE = `# Speed

## The floor

old figures

${REMARKS}

### What they say

It is slow.

## Growth

other figures
`;

it('new figures replace the old ones, and remarks and other sections stay', () => {
  expect(withSection(FILE, 'The floor', '## The floor\n\nnew figures')).toBe(
    FILE.replace('old figures', 'new figures'),
  );
});

it('a section without remarks is replaced as a whole', () => {
  expect(withSection(FILE, 'Growth', '## Growth\n\nnew figures')).toBe(
    FILE.replace('other figures', 'new figures'),
  );
});

it('a new section is added at the end', () => {
  expect(withSection(FILE, 'Peers', '## Peers\n\nfigures')).toBe(`${FILE}\n## Peers\n\nfigures\n`);
});

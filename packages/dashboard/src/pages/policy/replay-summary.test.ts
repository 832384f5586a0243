import { describe, expect, it } from 'vitest';
import { summarise } from './replay-summary.ts';

const change = (from: 'allow' | 'flag' | 'block', to: 'allow' | 'flag' | 'block', count: number) => ({
  from,
  to,
  count,
  examples: [],
});

describe('summarise', () => {
  it('counts who would newly be blocked and who would be let through, whatever they were before', () => {
    const { newlyBlocked, letThrough, newlyFlagged } = summarise({
      changes: [
        change('allow', 'block', 2),
        change('flag', 'block', 3),
        change('block', 'flag', 4),
        change('allow', 'flag', 9),
      ],
    });
    expect({ newlyBlocked, letThrough, newlyFlagged }).toEqual({
      newlyBlocked: 5,
      letThrough: 4,
      newlyFlagged: 9,
    });
  });

  it('puts changes about blocking before larger ones that only flag, and leaves empty ones out', () => {
    const { changes } = summarise({
      changes: [change('allow', 'flag', 900), change('flag', 'allow', 0), change('allow', 'block', 1)],
    });
    expect(changes.map(({ to, count }) => [to, count])).toEqual([
      ['block', 1],
      ['flag', 900],
    ]);
  });
});

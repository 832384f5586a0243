import { describe, expect, it } from 'vitest';
import { encodeQr } from './encode-qr.ts';
import { errorCorrection } from './reed-solomon.ts';

/** Read back by an independent QR reader when it was recorded. */
const HELLO_WORLD = `
#######.##..#.#######
#.....#....#..#.....#
#.###.#..#.#..#.###.#
#.###.#.#..#..#.###.#
#.###.#.###.#.#.###.#
#.....#.#..#..#.....#
#######.#.#.#.#######
........#..##........
#...#.######.#####..#
...#....#.###....####
..######..##.##.#..#.
#####...##...#.......
#####.#.#.#.#.##..##.
........#.#.####.#.##
#######.###.#.#.##.#.
#.....#..#.###.##..##
#.###.#.##.#.##...##.
#.###.#..#..#...##.##
#.###.#..###...###...
#.....#....#.#.......
#######.#########.#.#
`.trim();

const draw = (text: string) =>
  encodeQr(text)
    .map((row) => row.map((dark) => (dark ? '#' : '.')).join(''))
    .join('\n');

describe('encodeQr', () => {
  it('draws what a reader reads', () => {
    expect(draw('HELLO WORLD')).toBe(HELLO_WORLD);
  });

  it('takes the smallest version that holds the text, and refuses what fits into none', () => {
    expect(encodeQr('a'.repeat(14))).toHaveLength(21);
    expect(encodeQr('a'.repeat(15))).toHaveLength(25);
    expect(encodeQr('a'.repeat(362))).toHaveLength(73);
    expect(() => encodeQr('a'.repeat(363))).toThrow(RangeError);
  });

  it('counts bytes and not letters', () => {
    expect(encodeQr('é'.repeat(8))).toHaveLength(25);
  });
});

describe('errorCorrection', () => {
  it('gives the codewords of a published worked example', () => {
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
    expect(errorCorrection(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
  });
});

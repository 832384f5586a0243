import { MASKS, penaltyOf } from './qr-mask.ts';
import { errorCorrection } from './reed-solomon.ts';

/** Rows of modules, `true` for dark. */
export type QrModules = boolean[][];

/**
 * ISO/IEC 18004, table 9, for level M, which restores up to 15% of a damaged picture: by version, the number of
 * error correction codewords in a block, and of blocks.
 */
const LEVEL_M: readonly (readonly [perBlock: number, blocks: number])[] = [
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
  [26, 5],
  [30, 5],
  [22, 8],
  [22, 9],
  [24, 9],
];
const LEVEL_M_BITS = 0b00;
const BYTE_MODE = 0b0100;

/** The smallest QR code that holds the text: byte mode, level M, the mask with the lowest penalty. */
export function encodeQr(text: string): QrModules {
  const bytes = new TextEncoder().encode(text);
  const version = LEVEL_M.findIndex((_, index) => capacity(index + 1) >= bytes.length) + 1;
  if (version === 0) throw new RangeError(`${bytes.length} bytes do not fit into a QR code of version 14`);
  const codewords = interleave(dataCodewords(bytes, version), version);
  const frame = drawFrame(version);
  const data = placeBits(frame, codewords);
  let best: { modules: QrModules; penalty: number } | undefined;
  for (const [index, mask] of MASKS.entries()) {
    const modules = masked(frame, data, mask);
    drawFormat(modules, index);
    const penalty = penaltyOf(modules);
    if (best === undefined || penalty < best.penalty) best = { modules, penalty };
  }
  return best?.modules ?? [];
}

const levelOf = (version: number) => LEVEL_M[version - 1] ?? ([0, 1] as const);
const countBits = (version: number) => (version < 10 ? 8 : 16);

function capacity(version: number): number {
  return Math.floor((dataLength(version) * 8 - 4 - countBits(version)) / 8);
}

function dataLength(version: number): number {
  const [perBlock, blocks] = levelOf(version);
  return Math.floor(rawBits(version) / 8) - perBlock * blocks;
}

/** All modules but those of the function patterns. */
function rawBits(version: number): number {
  const alignments = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const spent = version === 1 ? 0 : (25 * alignments - 10) * alignments - 55;
  return (16 * version + 128) * version + 64 - spent - (version >= 7 ? 36 : 0);
}

function dataCodewords(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
  };
  push(BYTE_MODE, 4);
  push(bytes.length, countBits(version));
  for (const byte of bytes) push(byte, 8);
  const room = dataLength(version) * 8;
  push(0, Math.min(4, room - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  for (let pad = 0xec; bits.length < room; pad ^= 0xec ^ 0x11) push(pad, 8);
  const codewords: number[] = [];
  for (let at = 0; at < bits.length; at += 8) {
    codewords.push(bits.slice(at, at + 8).reduce((value, bit) => (value << 1) | bit, 0));
  }
  return codewords;
}

/** Section 7.6: the blocks’ first codewords, then their second ones, and so on; error correction alike. */
function interleave(data: readonly number[], version: number): number[] {
  const [perBlock, blocks] = levelOf(version);
  const short = Math.floor(data.length / blocks);
  const long = data.length % blocks;
  const parts: number[][] = [];
  for (let index = 0, at = 0; index < blocks; index += 1) {
    const length = short + (index >= blocks - long ? 1 : 0);
    parts.push(data.slice(at, at + length));
    at += length;
  }
  const corrections = parts.map((part) => errorCorrection(part, perBlock));
  return [...zip(parts), ...zip(corrections)];
}

function zip(lists: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...lists.map((list) => list.length));
  const all: number[] = [];
  for (let index = 0; index < longest; index += 1) {
    for (const list of lists) {
      const value = list[index];
      if (value !== undefined) all.push(value);
    }
  }
  return all;
}

interface DataModule {
  readonly x: number;
  readonly y: number;
  readonly dark: boolean;
}

/** Modules that are fixed, and `undefined` where data goes. */
type Frame = (boolean | undefined)[][];

function drawFrame(version: number): Frame {
  const size = version * 4 + 17;
  const frame: Frame = Array.from({ length: size }, () =>
    new Array<boolean | undefined>(size).fill(undefined),
  );
  const set = (x: number, y: number, dark: boolean) => {
    const row = frame[y];
    if (row !== undefined && x >= 0 && x < size) row[x] = dark;
  };
  for (let index = 0; index < size; index += 1) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    square(set, x, y, 4, (ring) => ring !== 2 && ring !== 4);
  }
  const places = alignmentPlaces(version);
  for (const x of places) {
    for (const y of places) {
      const corner = (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6);
      if (!corner) square(set, x, y, 2, (ring) => ring !== 1);
    }
  }
  drawFormatPlaces(set, size);
  if (version >= 7) drawVersion(set, version, size);
  return frame;
}

type SetModule = (x: number, y: number, dark: boolean) => void;

function square(set: SetModule, x: number, y: number, reach: number, dark: (ring: number) => boolean): void {
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      set(x + dx, y + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  }
}

function alignmentPlaces(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 4 + count * 2 + 1) / (count * 2 - 2)) * 2;
  const last = version * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - index * step).reverse()];
}

/** Where format bits will stand, for both copies; drawn light until the mask is known. */
function drawFormatPlaces(set: SetModule, size: number): void {
  for (const places of formatPlaces(size)) for (const [x, y] of places) set(x, y, false);
  set(8, size - 8, true);
}

/** Section 7.9, figure 25: the two copies, each from the lowest bit up. */
function formatPlaces(size: number): (readonly [number, number])[][] {
  const near: [number, number][] = [];
  for (let index = 0; index < 6; index += 1) near.push([8, index]);
  near.push([8, 7], [8, 8], [7, 8]);
  for (let index = 5; index >= 0; index -= 1) near.push([index, 8]);
  const far: [number, number][] = [];
  for (let index = 0; index < 8; index += 1) far.push([size - 1 - index, 8]);
  for (let index = 7; index > 0; index -= 1) far.push([8, size - index]);
  return [near, far];
}

function drawFormat(modules: QrModules, mask: number): void {
  const data = (LEVEL_M_BITS << 3) | mask;
  const bits = ((data << 10) | remainder(data, 10, 0x537)) ^ 0x5412;
  for (const places of formatPlaces(modules.length)) {
    for (const [index, [x, y]] of places.entries()) {
      const row = modules[y];
      if (row !== undefined) row[x] = ((bits >>> index) & 1) === 1;
    }
  }
}

function drawVersion(set: SetModule, version: number, size: number): void {
  const bits = (version << 12) | remainder(version, 12, 0x1f25);
  for (let index = 0; index < 18; index += 1) {
    const dark = ((bits >>> index) & 1) === 1;
    const along = size - 11 + (index % 3);
    const across = Math.floor(index / 3);
    set(along, across, dark);
    set(across, along, dark);
  }
}

/** The BCH code’s check bits: what is left after division by the generator. */
function remainder(data: number, bits: number, generator: number): number {
  let rest = data;
  for (let index = 0; index < bits; index += 1) rest = (rest << 1) ^ ((rest >>> (bits - 1)) * generator);
  return rest;
}

/** Section 7.7.3: two columns at a time from the right, upwards and downwards in turn, past the timing column. */
function placeBits(frame: Frame, codewords: readonly number[]): DataModule[] {
  const size = frame.length;
  const placed: DataModule[] = [];
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const upwards = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = upwards ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (frame[y]?.[x] !== undefined) continue;
        const bit = placed.length;
        placed.push({ x, y, dark: (((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1 });
      }
    }
  }
  return placed;
}

function masked(
  frame: Frame,
  data: readonly DataModule[],
  mask: (x: number, y: number) => boolean,
): QrModules {
  const modules = frame.map((row) => row.map((dark) => dark === true));
  for (const { x, y, dark } of data) {
    const row = modules[y];
    if (row !== undefined) row[x] = dark !== mask(x, y);
  }
  return modules;
}

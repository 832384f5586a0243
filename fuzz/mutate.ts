import type { Random } from './random.ts';

const MAX_BYTES = 70_000;
const MAX_CHANGES = 6;
const INTERESTING = [0, 1, 9, 10, 13, 32, 34, 44, 46, 58, 64, 91, 127, 128, 192, 255];

/** A changed copy of one input. It may have a part of another input or a word inserted. */
export function mutate(corpus: readonly Buffer[], words: readonly string[], random: Random): Buffer {
  const pick = <T>(from: readonly T[]): T | undefined => from[random(from.length)];
  let bytes: Buffer = Buffer.from(pick(corpus) ?? Buffer.alloc(0));
  const changes = random(MAX_CHANGES);
  for (let change = 0; change < changes; change += 1) {
    const at = random(bytes.length + 1);
    const length = random(Math.min(40, bytes.length - at) + 1);
    switch (random(7)) {
      case 0:
        bytes = splice(bytes, at, length, Buffer.alloc(0));
        break;
      case 1:
        bytes = splice(bytes, at, 1, Buffer.from([pick(INTERESTING) ?? 0]));
        break;
      case 2:
        bytes = splice(bytes, at, 0, Buffer.from([random(256)]));
        break;
      case 3:
        bytes = splice(bytes, at, random(2) * length, Buffer.from(pick(words) ?? '', 'latin1'));
        break;
      case 4:
        bytes = splice(bytes, at, 0, bytes.subarray(at, at + length));
        break;
      case 5: {
        const repeated = bytes.subarray(at, at + Math.min(length, 8));
        bytes = splice(bytes, at, 0, Buffer.concat(Array.from({ length: random(2_000) }, () => repeated)));
        break;
      }
      default: {
        const other = pick(corpus) ?? bytes;
        bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(random(other.length + 1))]);
      }
    }
  }
  return bytes.subarray(0, MAX_BYTES);
}

function splice(bytes: Buffer, at: number, drop: number, put: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + drop)]);
}

/** Numbers that are added one by one, in a tenth of the memory of an array of objects. */
export interface GrowingColumn<Key extends number | bigint, Column> {
  readonly length: number;
  push(value: Key): void;
  last(): Key | undefined;
  /** The added numbers, as an array of exactly that length. */
  finish(): Column;
}

const FIRST_CAPACITY = 1_024;

export function growingUint32(): GrowingColumn<number, Uint32Array> {
  let values = new Uint32Array(FIRST_CAPACITY);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (value) => {
      if (length === values.length) {
        const larger = new Uint32Array(2 * length);
        larger.set(values);
        values = larger;
      }
      values[length] = value;
      length += 1;
    },
    last: () => (length === 0 ? undefined : values[length - 1]),
    finish: () => values.slice(0, length),
  };
}

export function growingUint64(): GrowingColumn<bigint, BigUint64Array> {
  let values = new BigUint64Array(FIRST_CAPACITY);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (value) => {
      if (length === values.length) {
        const larger = new BigUint64Array(2 * length);
        larger.set(values);
        values = larger;
      }
      values[length] = value;
      length += 1;
    },
    last: () => (length === 0 ? undefined : values[length - 1]),
    finish: () => values.slice(0, length),
  };
}

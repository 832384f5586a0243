/** Numbers that are added one by one, in a tenth of the memory of an array of objects. */
export interface GrowingColumn<Key extends number | bigint, Column> {
  readonly length: number;
  push(value: Key): void;
  last(): Key | undefined;
  /** The added numbers, as an array of exactly that length. */
  finish(): Column;
}

/** What `Uint32Array` and `BigUint64Array` have in common. */
interface NumberArray<Key, Column> {
  readonly length: number;
  [index: number]: Key;
  set(values: Column): void;
  slice(start: number, end: number): Column;
}

const FIRST_CAPACITY = 1_024;

export const growingUint32 = () => growingColumn<number, Uint32Array>((length) => new Uint32Array(length));
export const growingUint64 = () =>
  growingColumn<bigint, BigUint64Array>((length) => new BigUint64Array(length));

function growingColumn<Key extends number | bigint, Column extends NumberArray<Key, Column>>(
  allocate: (length: number) => Column,
): GrowingColumn<Key, Column> {
  let values = allocate(FIRST_CAPACITY);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (value) => {
      if (length === values.length) {
        const larger = allocate(2 * length);
        larger.set(values);
        values = larger;
      }
      const writable: NumberArray<Key, Column> = values;
      writable[length] = value;
      length += 1;
    },
    last: () => (length === 0 ? undefined : values[length - 1]),
    finish: () => values.slice(0, length),
  };
}

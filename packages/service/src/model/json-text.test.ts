import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonString, jsonStrings, jsonValue } from './json-text.ts';

describe('JSON written by hand', () => {
  it('is what JSON.stringify writes, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(jsonString(text)).toBe(JSON.stringify(text));
      }),
    );
  });

  it.each(['', '"', '\\', '\u0000', '\u001f', '\u007f', 'é', '\ud800', '\u2028', ' !#[]^~'])('%j', (text) => {
    expect(jsonString(text)).toBe(JSON.stringify(text));
    expect(jsonStrings([text, text])).toBe(JSON.stringify([text, text]));
  });

  it('is what JSON.stringify writes, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonValue(value)).toBe(JSON.stringify(value));
      }),
    );
  });
});

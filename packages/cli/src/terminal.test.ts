import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createTerminal } from './terminal.ts';

const stream = (isTTY: boolean) =>
  ({ isTTY, write: () => true, on: () => {} }) as unknown as NodeJS.WriteStream;

test.each([
  [true, {}, true],
  [false, {}, false],
  [false, { CI: 'true' }, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('terminal %s with %j: colours %s', (isTTY, environment, wanted) => {
  expect(createTerminal(stream(isTTY), stream(isTTY), environment).colors.isColorSupported).toBe(wanted);
});

test('writing stops without an error when the reader is gone', async () => {
  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  const output = new Writable({ write: (_chunk, _encoding, done) => done(gone) }) as NodeJS.WriteStream;
  async function* endless() {
    for (;;) yield 'line\n';
  }
  await createTerminal(output, output, {}).outAll(endless());
});

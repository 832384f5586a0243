import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it('quotes text that would break a line, and neutralises formulas', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines'])).toBe(
    'plain,"a,b","say ""hi""","two\nlines"\r\n',
  );
  expect(csvLine(['=1+1', '+1', '-1', '@x', '\tx', '=A1,"x"'])).toBe(
    `'=1+1,'+1,'-1,'@x,'\tx,"'=A1,""x"""\r\n`,
  );
  expect(csvLine(["1.0;=cmd|' /C calc'!A0", 'a\t=1+1', 'x\n@y', '1; -2'])).toBe(
    `1.0;'=cmd|' /C calc'!A0,a\t'=1+1,"x\n'@y",1; -2\r\n`,
  );
  expect(csvLine(['', 'a=b', 'j***@example.com'])).toBe(',a=b,j***@example.com\r\n');
});

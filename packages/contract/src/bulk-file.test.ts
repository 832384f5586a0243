import { describe, expect, it, test } from 'vitest';
import { bulkResultHeader, bulkResultLine, readBulkFile } from './bulk-file.ts';

const LIMITS = { maxRows: 100, maxRowLength: 1_000 };
const emails = (text: string) => readBulkFile(text, LIMITS).rows.map(({ email }) => email);

test.each<[string, string, string[]]>([
  ['one per line', 'a@x.org\nb@x.org\n', ['a@x.org', 'b@x.org']],
  [
    'Windows line ends, blank lines, comments',
    '\uFEFFa@x.org\r\n\r\n# later\r\nb@x.org',
    ['a@x.org', 'b@x.org'],
  ],
  ['one per line under a heading', 'Email\na@x.org', ['a@x.org']],
  [
    'the column with an email heading',
    'name,E-Mail,age\n"Doe, Jane",jane@x.org,30\nJim,jim@x.org,',
    ['jane@x.org', 'jim@x.org'],
  ],
  ['the first column with an @', 'Jane;jane@x.org\nJim;jim@x.org', ['jane@x.org', 'jim@x.org']],
  ['tabs', 'id\temail\n1\ta@x.org', ['a@x.org']],
  ['doubled quotes', 'email,note\n"""a b""@x.org",n', ['"a b"@x.org']],
  ['quoted lines', '"a@x.org"\n"b@x.org"', ['a@x.org', 'b@x.org']],
  ['rows without the cell', 'name,email\nJane\nJim,jim@x.org', ['', 'jim@x.org']],
  ['line breaks in quotes', 'note,email\n"two\r\nlines",a@x.org\n', ['a@x.org']],
  ['an address that begins with #', '#a@x.org\n# b\n', ['#a@x.org']],
])('%s', (_, text, addresses) => {
  expect(emails(text)).toEqual(addresses);
});

describe('a file of addresses', () => {
  it('keeps its columns in the result, and protects cells that a spreadsheet would run', () => {
    const file = readBulkFile(
      '\uFEFFname,Email,IP\r\n=HYPERLINK("x"),a@x.org,192.0.2.1\r\n@cmd,b@x.org',
      LIMITS,
    );
    expect(file.rows.map(({ email, ip }) => [email, ip])).toEqual([
      ['a@x.org', '192.0.2.1'],
      ['b@x.org', ''],
    ]);
    expect(bulkResultHeader(file)).toBe('name,Email,IP,recommendation,failedChecks,reason\r\n');
    const [first, second] = file.rows;
    if (first === undefined || second === undefined) throw new Error('The file has two rows');
    expect(bulkResultLine(file, first, { recommendation: 'allow', failed: [], reason: '' })).toBe(
      `"'=HYPERLINK(""x"")",a@x.org,192.0.2.1,allow,,\r\n`,
    );
    expect(
      bulkResultLine(file, second, { recommendation: 'block', failed: ['syntax', 'mx'], reason: '-1, no' }),
    ).toBe(`'@cmd,b@x.org,,block,syntax mx,"'-1, no"\r\n`);
  });

  it('reads Windows-1252 when the file is not UTF-8, and says so', () => {
    const old = readBulkFile(Buffer.from('name,email\nJürgen,a@x.org', 'latin1'), LIMITS);
    expect([old.windows1252, old.rows[0]?.cells[0]]).toEqual([true, 'Jürgen']);
    const ours = readBulkFile(Buffer.from('name,email\nJürgen,a@x.org'), LIMITS);
    expect([ours.windows1252, ours.rows[0]?.cells[0]]).toEqual([false, 'Jürgen']);
  });

  it('takes a column named address only if it has an @, and does not name two columns alike', () => {
    const street = readBulkFile('address,email,reason\n1 Main St,a@x.org,none', LIMITS);
    expect([street.emailColumn, street.rows[0]?.email]).toEqual([1, 'a@x.org']);
    expect(bulkResultHeader(street)).toBe('address,email,reason,recommendation,failedChecks,reason 2\r\n');
    expect(emails('name,address\nJane,jane@x.org')).toEqual(['jane@x.org']);
  });

  it('names the columns of a file without a header', () => {
    expect(readBulkFile('Jane,a@x.org\nJim,b@x.org,more', LIMITS).titles).toEqual([
      'column 1',
      'email',
      'column 3',
    ]);
  });

  it.each([
    ['no rows', ' \r\n', /no rows/],
    ['only a header', 'email\n', /no rows/],
    ['too many rows', `email\n${'a@x.org\n'.repeat(101)}`, /has 101 rows; at most 100/],
    ['a row that is too long', `a@x.org\n"${'x\n'.repeat(600)}",b@x.org`, /line 2: the row is longer/],
    ['a quote that is never closed', 'a@x.org\n"b@x.org\n', /line 2: the quote/],
    ['text after a quote', '"a"b@x.org\n', /line 1: the quoted text/],
  ])('refuses %s', (_, text, message) => {
    expect(() => readBulkFile(text, LIMITS)).toThrow(message);
  });

  it('takes as many rows as allowed, with a header', () => {
    expect(readBulkFile(`email\n${'a@x.org\n'.repeat(100)}`, LIMITS).rows).toHaveLength(100);
  });

  it('cuts a cell that is longer than any address', () => {
    expect(emails(`${'x'.repeat(900)}@x.org`)[0]).toHaveLength(400);
  });
});

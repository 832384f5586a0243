import { expect, test } from 'vitest';
import { readAddressList } from './read-address-list.ts';

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
  ['rows without the cell', 'name,email\nJane\nJim,jim@x.org', ['jim@x.org']],
  ['nothing', '', []],
])('%s', (_, text, addresses) => {
  expect(readAddressList(text)).toEqual(addresses);
});

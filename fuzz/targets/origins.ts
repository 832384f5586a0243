import { matchesOrigin, parseOriginPattern } from '../../packages/service/src/model/origin-pattern.ts';
import type { FuzzTarget } from '../target.ts';

const ALLOWED = [
  'app.example',
  '*.shop.example',
  'localhost:*',
  'app://com.example.app',
  'https://only.example',
];
const PATTERNS = ALLOWED.map(parseOriginPattern).filter((pattern) => pattern !== undefined);
/** Matches every origin that the patterns may allow, and no other. */
const EXPECTED =
  /^(?:https?:\/\/app\.example|https?:\/\/[^/?#@\\\s]+\.shop\.example|https?:\/\/localhost(?::\d{1,5})?|app:\/\/com\.example\.app|https:\/\/only\.example)(?::(?:80|443))?$/i;

/** An `Origin` matches only if it is exactly an allowed origin. A pattern is read or refused. */
export const origins: FuzzTarget = {
  name: 'origins',
  words: [
    'http://',
    'https://',
    'app://',
    '.shop.example',
    '@',
    ':',
    '#',
    '?',
    '/',
    '*',
    'null',
    ',',
    ' ',
    '%00',
    '\u3002',
  ],
  open: async () => ({
    check: (input) => {
      const text = input.subarray(0, 20_000).toString('latin1');
      parseOriginPattern(text);
      if (matchesOrigin(text, PATTERNS) && !EXPECTED.test(text)) throw new Error(`${text} is allowed`);
    },
    close: async () => {},
  }),
};

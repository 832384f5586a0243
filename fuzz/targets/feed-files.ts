import type { FeedFormat } from '../../packages/service/src/feeds/feed-source.ts';
import { createLineReader } from '../../packages/service/src/feeds/read-feed.ts';
import type { FuzzTarget } from '../target.ts';

const FORMATS: readonly FeedFormat[] = ['domains', 'cidrs', 'relay-csv', 'onionoo', 'asn-csv'];

/** A file is read or refused with an Error that says why; entries are single lines of bounded length. */
export const feedFiles: FuzzTarget = {
  name: 'feed-files',
  words: [
    '\n',
    '\r\n',
    '#',
    '//',
    '*.',
    ',',
    '/0',
    '/32',
    '::/0',
    '\0',
    '\u00fc',
    '0.0.0.0/0',
    'gmail.com',
    '\t',
  ],
  open: async () => ({
    check: (input) => {
      const text = input.toString();
      for (const format of FORMATS) {
        const entries: string[] = [];
        try {
          const reader = createLineReader(format, (entry) => entries.push(entry));
          for (const line of text.split('\n')) reader.add(line);
          reader.finish();
        } catch (error) {
          if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError)
            throw error;
        }
        if (entries.some((entry) => entry.includes('\n') || (format === 'domains' && entry.length > 253)))
          throw new Error('an entry is too long or has a line break');
      }
    },
    close: async () => {},
  }),
};

import { createCheckInput } from '../../packages/service/src/checks/check-input.ts';
import { syntaxCheck } from '../../packages/service/src/checks/syntax/syntax-check.ts';
import { parseEmailAddress } from '../../packages/service/src/model/parse-email-address.ts';
import { loggedDomain, maskAddress } from '../../packages/service/src/record/mask-address.ts';
import type { FuzzTarget } from '../target.ts';
import { project } from './test-project.ts';

/** An address that was parsed is parsed the same way again in its normal form, and can be checked and masked. */
export const addresses: FuzzTarget = {
  name: 'addresses',
  words: [
    '@',
    '"',
    '.',
    '..',
    '+',
    '[',
    ']',
    'xn--',
    '[IPv6:',
    '\u00fc',
    '\\',
    ' ',
    '(',
    'fastmail.com',
    '\u200d',
  ],
  open: async () => ({
    check: async (input) => {
      const text = input.subarray(0, 20_000).toString();
      const address = parseEmailAddress(text);
      if (address === undefined) return;
      const again = parseEmailAddress(address.normalized);
      if (again?.normalized !== address.normalized)
        throw new Error(`${address.normalized} reads as ${again?.normalized}`);
      const judged = createCheckInput({ address, now: 0, project }, undefined);
      await syntaxCheck.inspect(judged);
      await judged.inbox();
      const domain = await loggedDomain(address, judged.mailRoute);
      const [shown] = maskAddress(address, domain).split('@', 1);
      if (!/^.?\*\*\*$/su.test(shown ?? '')) throw new Error('the mask shows the local part');
      if (!address.literal && !`.${address.asciiDomain}`.endsWith(`.${domain}`))
        throw new Error('the log would show another domain');
    },
    close: async () => {},
  }),
};

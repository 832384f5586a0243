import { SIGNALS } from '@postern/contract';
import { expect, it } from 'vitest';
import { signalMeaning } from './check-names.ts';

it('explains signals without the fields of the API', () => {
  for (const name of Object.keys(SIGNALS)) expect(signalMeaning(name), name).not.toMatch(/; see |`/);
});

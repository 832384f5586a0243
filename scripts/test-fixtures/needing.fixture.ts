import { beforeAll, test } from 'vitest';
import { launchChromium } from '../../packages/sdk/test/support/chromium.ts';

beforeAll(async () => {
  await (await launchChromium()).close();
});

test('needs a browser', () => {});

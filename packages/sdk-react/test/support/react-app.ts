import type { Browser, Page } from 'playwright';
import type { OutputChunk } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { launchChromium } from '../../../sdk-browser/test/support/chromium.ts';
import { type Site, startSite } from '../../../sdk-browser/test/support/site.ts';
import {
  allowed,
  type StubAnswer,
  type StubService,
  startStubService,
} from '../../../sdk-core/test/support/stub-service.ts';
import { buildApp } from './build-app.ts';

export interface ReactApp {
  readonly service: StubService;
  readonly site: Site;
  readonly page: Page;
  /** What the service answers; allowed unless the test sets something else. */
  answer: StubAnswer | Promise<StubAnswer>;
}

/**
 * An app with one version of React in a real browser. Every test gets a new page and a new stub service. `html` is what
 * the server rendered.
 */
export function reactApp(version: 18 | 19, entry: string, html: () => string = () => ''): ReactApp {
  const app = {} as { -readonly [Key in keyof ReactApp]: ReactApp[Key] };
  let browser: Browser;
  let chunks: OutputChunk[];
  beforeAll(async () => {
    [browser, chunks] = await Promise.all([launchChromium(), buildApp(version, entry)]);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    app.answer = allowed();
    app.service = await startStubService(() => app.answer);
    const script = entry.replace(/\.tsx?$/, '.js');
    app.site = await startSite({
      '/': `<!doctype html><html lang="en"><title>Sign up</title><link rel="icon" href="data:,"><div id="root">${html()}</div>
        <script>globalThis.baseUrl = '${app.service.url}'</script><script type="module" src="/${script}"></script>`,
      ...Object.fromEntries(chunks.map(({ fileName, code }) => [`/${fileName}`, code])),
    });
    app.page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  });
  afterEach(async () => {
    await app.page.context().close();
    await app.site.close();
    await app.service.close();
  });
  return app;
}

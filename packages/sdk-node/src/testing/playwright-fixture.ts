import { type FakeService, startFakeService } from './fake-service.ts';

/** What is used of Playwright’s `page`. */
export interface FixturePage {
  route(url: RegExp, handler: (route: FixtureRoute) => Promise<unknown>): Promise<unknown>;
}

interface FixtureRoute {
  request(): { url(): string; method(): string; postData(): string | null };
  fulfill(answer: { status: number; headers: Record<string, string>; body: string }): Promise<unknown>;
}

/**
 * For Playwright’s `test.extend(posternFixture)`: each test gets a fake service as `postern`, and the page’s own questions
 * go to it, wherever the page sends them.
 */
export const posternFixture = {
  postern: async (
    { page }: { page: FixturePage },
    use: (postern: FakeService) => Promise<void>,
  ): Promise<void> => {
    const service = await startFakeService();
    try {
      await page.route(/\/(v1\/)?validate$/, (route) => forward(route, service));
      await use(service);
    } finally {
      await service.close();
    }
  },
};

async function forward(route: FixtureRoute, { url }: FakeService): Promise<void> {
  const request = route.request();
  const body = request.postData();
  const response = await fetch(`${url}/validate`, {
    method: request.method(),
    ...(body !== null && { body }),
  });
  const headers = Object.fromEntries(response.headers);
  await route.fulfill({ status: response.status, headers, body: await response.text() });
}

export {
  createFakePostern,
  type FakeAnswer,
  type FakeOptions,
  type FakePostern,
} from './testing/fake-postern.ts';
export { type FakeService, startFakeService } from './testing/fake-service.ts';
export { type MadeWebhook, makeWebhook, WEBHOOK_TEST_SECRET } from './testing/make-webhook.ts';
export { type FixturePage, posternFixture } from './testing/playwright-fixture.ts';

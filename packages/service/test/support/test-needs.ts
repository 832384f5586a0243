import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { provideChromium } from '../../../sdk/test/support/find-chromium.ts';
import type { Missing, Need, NeedAnswer } from './ask-for-need.ts';
import { type PostgresServer, postgresServer } from './postgres.ts';
import { postgresCommand } from './postgres-process.ts';

let listener: Server | undefined;
let server: Promise<PostgresServer> | undefined;
const answers = new Map<Need, Promise<NeedAnswer>>();

/**
 * Runs once before all test files. Those that need a browser or PostgreSQL ask here. The browser is installed and the
 * one PostgreSQL server that they share is started for the first that asks, so that a run without such files does not
 * wait for it. TEST_WITHOUT=browser,postgres does without. What is missing is told to the reporter in TEST_MISSING.
 */
export async function setup(): Promise<void> {
  listener = createServer(async (request, response) => {
    const need = request.url?.slice(1) as Need;
    const answer = answers.get(need) ?? provide(need);
    answers.set(need, answer);
    response.end(JSON.stringify(await answer));
  });
  listener.listen(0, '127.0.0.1');
  await new Promise((resolve) => listener?.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  process.env.TEST_NEEDS_URL = `http://127.0.0.1:${port}`;
  process.env.TEST_MISSING = '{}';
}

export async function teardown(): Promise<void> {
  listener?.close();
  await (await server?.catch(() => undefined))?.remove();
}

async function provide(need: Need): Promise<NeedAnswer> {
  const answer = await (process.env.TEST_WITHOUT?.split(',').includes(need)
    ? { missing: { reason: 'TEST_WITHOUT says so', command: 'unset TEST_WITHOUT' } }
    : PROVIDE[need]());
  if ('missing' in answer) {
    const missing: Record<string, Missing> = JSON.parse(process.env.TEST_MISSING ?? '{}');
    process.env.TEST_MISSING = JSON.stringify({ ...missing, [need]: answer.missing });
  }
  return answer;
}

const PROVIDE: Readonly<Record<Need, () => Promise<NeedAnswer>>> = {
  async browser() {
    try {
      const provided = await provideChromium();
      return 'reason' in provided ? { missing: provided } : { found: provided };
    } catch (error) {
      return { missing: { reason: messageOf(error), command: 'unset CHROMIUM_PATH' } };
    }
  },
  async postgres() {
    try {
      server = postgresServer();
      return { found: (await server).url };
    } catch (error) {
      return { missing: { reason: messageOf(error), command: postgresCommand() } };
    }
  },
};

const messageOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .replace(/\nRequire stack:[\s\S]*/, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ');

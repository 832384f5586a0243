/**
 * How long `postern outcomes import` takes for 10,000 people: `node --import tsx bench/import-outcomes.ts`. Each person was
 * validated before. The CPU time includes the embedded store’s thread, but not the PostgreSQL server.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instanceHash } from '../packages/service/dist/administration/forget-person.js';
import { importOutcomes } from '../packages/service/dist/administration/outcomes.js';
import { inboxNames } from '../packages/service/dist/model/inbox-names.js';
import { openStore } from '../packages/service/dist/open-store.js';
import type { Store } from '../packages/service/dist/store/store.js';
import { postgresServer } from '../packages/service/test/support/postgres.ts';
import { prepare } from './settle.ts';

const PEOPLE = 10_000;
const IN_FLIGHT = 128;

async function measure(name: string, store: Store): Promise<void> {
  const admin = { store, now: Date.now, randomBytes, plans: new Map([['free', 1]]), actor: 'bench' };
  const keyedHash = await instanceHash(admin);
  const emails = Array.from({ length: PEOPLE }, (_, index) => `person.${index}@company.com`);
  const submission = await prepare(store);
  const { projectId } = submission();
  let next = 0;
  const validate = async (): Promise<void> => {
    while (next < PEOPLE) {
      const [inbox = ''] = (await inboxNames(emails[next++] ?? '')) ?? [];
      const made = submission();
      if (made.validation === null) throw new Error('The submission has no validation');
      const inboxHash = keyedHash('inbox', inbox);
      await store.settle({ ...made, validation: { ...made.validation, inboxHash } });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, validate));
  const at = Date.now();
  const outcomes = emails.map((email, index) => ({
    email,
    outcome: index % 10 === 0 ? ('bad' as const) : ('good' as const),
    at,
    line: index + 2,
  }));
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  const { recorded } = await importOutcomes(admin, projectId, outcomes);
  const { user, system } = process.cpuUsage(cpu);
  const seconds = [(performance.now() - started) / 1e3, (user + system) / 1e6].map((one) => one.toFixed(1));
  process.stdout.write(`| ${[name, recorded.toLocaleString('en-US'), ...seconds].join(' | ')} |\n`);
}

process.stdout.write('| store | recorded | seconds | CPU seconds |\n| --- | --- | --- | --- |\n');
const folder = await mkdtemp(join(tmpdir(), 'postern-import-'));
const embedded = await openStore({ dataDir: folder, databaseUrl: undefined });
await measure('embedded', embedded);
await embedded.close();
await rm(folder, { recursive: true, force: true });
const server = await postgresServer();
const postgres = await openStore({ dataDir: '', databaseUrl: (await server.database()).url });
await measure('PostgreSQL', postgres);
await postgres.close();
await server.remove();

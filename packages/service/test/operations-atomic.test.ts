import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeRoutes } from '../src/dashboard-api/store-routes.ts';
import { createAccount, createLinkedAccount, resetPassword } from '../src/operations/accounts.ts';
import type { Administration } from '../src/operations/administration.ts';
import { createProject, updateProject } from '../src/operations/change-project.ts';
import { admitCompanyMember } from '../src/operations/company-accounts.ts';
import { instanceHash } from '../src/operations/instance-hash.ts';
import { findLink, makeSignInLink } from '../src/operations/links.ts';
import { importOutcomes } from '../src/operations/outcomes.ts';
import { newAccessToken, ownAccountOperations } from '../src/operations/own-account.ts';
import { type Change, perform } from '../src/operations/perform.ts';
import { operationsOf } from '../src/operations/run-operation.ts';
import { rotateSigningKey } from '../src/operations/signing-keys.ts';
import type { AdministeredStore } from '../src/store/administered-store.ts';
import { exportStore } from '../src/store/export-store.ts';
import { type PostgresServer, sharedPostgresServer } from './support/postgres.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import { FLAG } from './support/store-contract-events.ts';
import { admitted, makeCaller, START, submissionOf, unique } from './support/store-fixtures.ts';
import './support/quick-passwords.mjs';

let server: PostgresServer;
beforeAll(async () => {
  server = await sharedPostgresServer();
});
afterAll(() => server?.remove());

const DATABASES = { sqlite: () => sqliteDatabase(), postgres: () => server.database() } as const;
const PASSWORD = 'correct horse battery';

/** Everything that is stored, except the locks that a transaction leaves. */
async function contentOf(store: AdministeredStore): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportStore(store)) lines.push(line);
  return lines.slice(1, -1).filter((line) => !line.includes('"lock:'));
}

/** Like the store, but the database refuses each row of the audit log: what a transaction does when it ends before. */
function withoutAudit(store: AdministeredStore): AdministeredStore {
  const commit: AdministeredStore['commit'] = (changes, notes) =>
    store.commit(
      changes,
      notes.map((note) => ({ ...note, action: null as unknown as string })),
    );
  return { ...store, commit };
}

describe.each(['sqlite', 'postgres'] as const)('a change on %s', (backEnd) => {
  it('is not stored without its audit row, whatever it changes', async () => {
    const database = await DATABASES[backEnd]();
    const store = await database.open();
    try {
      const admin: Administration = {
        ...{ store, now: () => START + 60_000, randomBytes, actor: 'usr_1' },
        plans: new Map([['free', 1_000]]),
      };
      // It is made when it is first asked for.
      await instanceHash(admin);
      const caller = await makeCaller(store);
      const { id } = caller.project;
      for (const [index, inbox] of ['ann', 'bob', 'eve', 'joe'].entries())
        admitted(await store.settle(submissionOf(caller, { inbox, now: START + index, log: FLAG })));
      const { rows } = await store.log.page(id, {}, 10, null);
      const [first = '', second = '', third = '', fourth = ''] = rows.map((row) => row.id);
      const cut: Administration = { ...admin, store: withoutAudit(store) };
      const ask = (who: Administration) => operationsOf(storeRoutes, who);
      const key = await ask(admin)('POST /projects/:id/keys', { id }, { type: 'server' });
      const hook = await ask(admin)('POST /projects/:id/webhooks', { id }, { url: 'https://a.example/' });
      const jane = await createAccount(
        admin,
        { name: 'Jane', email: 'jane@example.com', password: PASSWORD },
        'owner',
      );
      const bob = await createAccount(
        admin,
        { name: 'Bob', email: 'bob@example.com', password: PASSWORD },
        'viewer',
      );
      const { token } = await makeSignInLink(admin, bob.email);
      const link = await findLink(admin, 'sign-in', token);
      const judged = await ask(admin)(
        'POST /projects/:id/judge',
        { id },
        {
          ...{ validations: [fourth], outcome: 'bad' },
        },
      );
      const own = (who: Administration, run: (call: never) => Promise<unknown>, body: object, asked = {}) =>
        perform(who, async () => {
          const call = { admin: who, member: jane, params: asked, body };
          return (await run(call as never)) as Change<unknown>;
        });
      const changes: Record<string, (who: Administration) => Promise<unknown>> = {
        project: (who) => createProject(who, { id: unique('p') }),
        settings: (who) => updateProject(who, id, { rateClient: 7 }),
        rule: (who) =>
          ask(who)('POST /projects/:id/rules', { id }, { name: 'R', when: 'email.role', then: 'flag' }),
        lists: (who) =>
          ask(who)(
            'POST /projects/:id/lists',
            { id },
            {
              changes: [{ list: 'blockList', add: { value: 'spam.example' } }],
            },
          ),
        'named list': (who) => ask(who)('POST /projects/:id/named-lists', { id }, { name: 'friends' }),
        note: (who) => ask(who)('POST /projects/:id/timeline', { id }, { subject: 'a.example', note: 'odd' }),
        'new key': (who) => ask(who)('POST /projects/:id/keys', { id }, { type: 'client' }),
        'new secret': (who) => ask(who)('POST /keys/:keyId/regenerate', { keyId: key.id }, {}),
        'revoked key': (who) => ask(who)('POST /keys/:keyId/revoke', { keyId: key.id }),
        'new webhook': (who) =>
          ask(who)('POST /projects/:id/webhooks', { id }, { url: 'https://b.example/' }),
        'webhook secret': (who) => ask(who)('POST /webhooks/:webhookId/rotate', { webhookId: hook.id }),
        'deleted webhook': (who) => ask(who)('DELETE /webhooks/:webhookId', { webhookId: hook.id }),
        decision: (who) =>
          ask(who)(
            'POST /projects/:id/review/:validationId/decide',
            { id, validationId: first },
            {
              decision: 'good',
            },
          ),
        decisions: (who) =>
          ask(who)('POST /projects/:id/review/decide', { id }, { validations: [second], decision: 'bad' }),
        judgement: (who) =>
          ask(who)('POST /projects/:id/judge', { id }, { validations: [third], outcome: 'wrong' }),
        'judgement taken back': (who) =>
          ask(who)('POST /projects/:id/judge/undo', { id }, { undo: judged.undo }),
        outcomes: (who) => {
          const outcome = {
            requestId: rows[0]?.requestId ?? '',
            outcome: 'good',
            at: START,
            line: 2,
          } as const;
          return importOutcomes(who, id, [outcome], 1e12);
        },
        role: (who) => ask(who)('PATCH /members/:id', { id: bob.id }, { role: 'admin' }),
        account: (who) =>
          createAccount(
            who,
            { name: 'X', email: `${unique('x')}@example.com`, password: PASSWORD },
            'viewer',
          ),
        'company account': (who) =>
          admitCompanyMember(
            who,
            'https://id.example',
            [{ claim: 'group', value: 'a', role: 'viewer', project: undefined }],
            { sub: unique('s'), email: `${unique('c')}@example.com`, group: 'a' },
          ),
        'sign-in link': (who) => makeSignInLink(who, bob.email),
        'new password': (who) =>
          resetPassword(who, bob.email, `${PASSWORD} 2`, { dropSecondFactor: true, revokeTokens: true }),
        token: (who) => perform(who, () => newAccessToken(who, jane.id, { name: 'CI' })),
        name: (who) => own(who, ownAccountOperations['PATCH /session'], { name: 'Janet' }),
        'signing key': (who) => rotateSigningKey(who),
        member: (who) => ask(who)('DELETE /members/:id', { id: bob.id }),
      };
      expect(link.userId).toBe(bob.id);
      await expect(
        createLinkedAccount(admin, 'invite', token, {
          name: 'N',
          email: 'n@example.com',
          password: PASSWORD,
        }),
      ).rejects.toThrow('used up');
      let before = await contentOf(store);
      for (const [name, change] of Object.entries(changes)) {
        await expect(change(cut), name).rejects.toThrow();
        expect(await contentOf(store), name).toEqual(before);
        const noted = (await store.audit.page(null, 200, null)).length;
        await change(admin);
        expect((await store.audit.page(null, 200, null)).length, name).toBeGreaterThan(noted);
        const after = await contentOf(store);
        expect(after, name).not.toEqual(before);
        before = after;
      }
    } finally {
      await store.close();
      await database.remove();
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { AdministeredStore } from '../../src/store/administered-store.ts';
import type { Statement } from '../../src/store/database.ts';
import { StoreConflict } from '../../src/store/store.ts';
import type { LinkKind, NewLink } from '../../src/store/tables/account-link-table.ts';
import type { Access } from '../../src/store/tables/member-row.ts';
import type { NewMember } from '../../src/store/tables/member-table.ts';
import type { Stores } from './store-contract.ts';
import { DAY, START, unique } from './store-fixtures.ts';

const VIEWER = { role: 'viewer', projects: {} } as const;

function account(traits: Partial<NewMember> = {}): NewMember {
  const id = unique('user');
  return {
    ...{ id, accountId: unique('account'), name: 'Jane', email: `${id}@example.com`, verified: false },
    ...VIEWER,
    account: { passwordHash: 'a hash' },
    ...traits,
  };
}

/** Stores the change, if it still holds. */
async function isDone(store: AdministeredStore, change: readonly Statement[]): Promise<boolean> {
  try {
    await store.commit(change, []);
    return true;
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
    return false;
  }
}

const add = (store: AdministeredStore, ...members: NewMember[]) =>
  store.commit(
    members.flatMap((member) => store.members.creation(member, START)),
    [],
  );

function link(kind: LinkKind, hash: string, access: Access = { role: 'owner', projects: {} }): NewLink {
  const times = { createdAt: START, expiresAt: START + DAY };
  return { id: unique('link'), kind, hash, userId: null, ...access, ...times };
}

function setupLink(hash: string): NewLink {
  return { ...link('setup', hash), id: unique('setup-') };
}

/** `auth.query` takes each back end’s own placeholders. */
function numbered(dialect: 'sqlite' | 'postgres', sql: string): string {
  let place = 0;
  return dialect === 'sqlite'
    ? sql
    : sql.replaceAll('?', () => {
        place += 1;
        return `$${place}`;
      });
}

export function memberContract(stores: Stores): void {
  describe('members', () => {
    it('lets exactly one of many first accounts use the set-up link', async () => {
      const database = await stores.fresh();
      const [one, other] = await Promise.all([database.open(), database.open()]);
      try {
        expect(await one.members.hasAny()).toBe(false);
        const older = { ...setupLink('an older token'), createdAt: START - DAY, expiresAt: START };
        expect(await one.members.offerSetup(older)).toBe(older.id);
        // An expired link is replaced. One that is valid stays, whichever process asks.
        const offers = Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? one : other).members.offerSetup(setupLink('token')),
        );
        const [offered, ...others] = [...new Set(await Promise.all(offers))];
        expect([offered, others]).toEqual([expect.stringMatching(/^setup-/), []]);
        expect(await one.members.findLink('setup', 'an older token', START)).toBeUndefined();
        const found = await one.members.findLink('setup', 'token', START);
        expect(found).toMatchObject({ id: offered, role: 'owner', projects: {} });
        const results = await Promise.all(
          Array.from({ length: 10 }, (_, index) => {
            const store = index % 2 === 0 ? one : other;
            const claim = store.members.linkRemoval(found?.id ?? '');
            return isDone(store, [...claim, ...store.members.firstCreation(account(), START)]);
          }),
        );
        expect(results.filter((done) => done)).toHaveLength(1);
        expect(await other.members.list()).toHaveLength(1);
        expect(await one.members.offerSetup(setupLink('another token'))).toBeUndefined();
      } finally {
        await Promise.all([one.close(), other.close()]);
        await database.remove();
      }
    });

    it('uses a link up once, and has one account for each address', async () => {
      const { store } = stores;
      const { members } = store;
      const hash = unique('hash');
      const projects = { shop: 'admin', blog: 'viewer' } as const;
      await store.commit([members.linkCreation(link('invite', hash, { role: 'none', projects }))], []);
      expect(await members.findLink('invite', hash, START + DAY)).toBeUndefined();
      expect(await members.findLink('reset', hash, START)).toBeUndefined();
      const found = await members.findLink('invite', hash, START);
      expect(found).toMatchObject({ role: 'none', projects });
      const jane = account({ role: 'admin' });
      const claim = members.linkRemoval(found?.id ?? '');
      expect(await isDone(store, [...claim, ...members.creation(jane, START)])).toBe(true);
      expect(await isDone(store, [...claim, ...members.creation(account(), START)])).toBe(false);
      const twin = account({ email: jane.email });
      expect(await isDone(store, members.creation(twin, START))).toBe(false);
      expect(await members.findByEmail(jane.email)).toEqual({
        id: jane.id,
        name: 'Jane',
        email: jane.email,
        role: 'admin',
        projects: {},
        joinedAt: START,
        activeAt: null,
        twoFactorEnabled: false,
      });
    });

    it('keeps roles in selected projects, unless somebody changed them since they were read', async () => {
      const { store } = stores;
      const { members } = store;
      const projects = { shop: 'admin', blog: 'viewer' } as const;
      const jane = account({ role: 'none', projects });
      await add(store, jane);
      expect(await stores.other.members.find(jane.id)).toMatchObject({ role: 'none', projects });
      const analyst = { role: 'analyst', projects: {} } as const;
      expect(await isDone(store, members.accessChange(jane, analyst))).toBe(true);
      expect(await stores.other.members.find(jane.id)).toMatchObject(analyst);
      for (const before of [
        { role: 'none', projects: {} },
        { role: 'analyst', projects },
      ] as const) {
        const change = members.accessChange({ id: jane.id, ...before }, { role: 'admin', projects: {} });
        expect(await isDone(store, change)).toBe(false);
      }
      expect(await stores.other.members.find(jane.id)).toMatchObject(analyst);
    });

    it('gives a subject of the company’s provider to one member', async () => {
      const { store } = stores;
      const { members } = store;
      const company = { provider: 'oidc:https://id.example', subject: unique('subject') };
      const [jane, eve] = [account({ account: company, verified: true }), account()];
      await add(store, jane, eve);
      expect((await members.findByAccount(company.provider, company.subject))?.id).toBe(jane.id);
      expect([await members.isVerified(jane.id), await members.isVerified(eve.id)]).toEqual([true, false]);
      expect([await members.hasPassword(jane.id), await members.hasPassword(eve.id)]).toEqual([false, true]);
      expect(await isDone(store, members.accountCreation(eve.id, unique('account'), company))).toBe(false);
      await store.commit([members.addressVerification(eve.id)], []);
      expect(await members.isVerified(eve.id)).toBe(true);
    });

    it('knows sessions and when they were active, each person only their own', async () => {
      const { store } = stores;
      const { members, auth } = store;
      const [jane, eve] = [account(), account()];
      await add(store, jane, eve);
      const moment = (at: number) => new Date(at).toISOString();
      const [session, expired] = [unique('session'), unique('session')];
      for (const [id, expiresAt] of [
        [session, START + DAY],
        [expired, START - 1],
      ] as const)
        await auth.query(
          numbered(
            auth.dialect,
            `INSERT INTO auth_session (id, "expiresAt", token, "createdAt", "updatedAt", "userAgent", "userId")
             VALUES (?, ?, ?, ?, ?, ?, ?)`,
          ),
          [id, moment(expiresAt), `token ${id}`, moment(START - 5), moment(START - 5), 'a browser', jane.id],
        );
      const own = { id: session, token: `token ${session}`, userAgent: 'a browser', createdAt: START - 5 };
      expect(await members.sessions(jane.id, START)).toEqual([{ ...own, activeAt: START - 5 }]);
      await members.touch(jane.id, `token ${session}`, START + 7);
      expect(await members.sessions(jane.id, START)).toEqual([{ ...own, activeAt: START + 7 }]);
      expect((await members.find(jane.id))?.activeAt).toBe(START + 7);
      expect((await members.find(eve.id))?.activeAt).toBeNull();
      expect(await members.sessions(eve.id, START)).toEqual([]);
      await store.commit([members.sessionEnd(eve.id, session)], []);
      expect(await members.sessions(jane.id, START)).toHaveLength(1);
      await store.commit([members.sessionEnd(jane.id, session), members.allSessionsEnd(eve.id)], []);
      expect(await members.sessions(jane.id, START)).toEqual([]);
      await store.commit([members.rename(jane.id, 'Janet'), ...members.secondFactorRemoval(eve.id)], []);
      expect((await members.find(jane.id))?.name).toBe('Janet');
      await store.commit(members.removal(jane.id), []);
      expect(await members.find(jane.id)).toBeUndefined();
    });

    it('keeps the last owner, even if two leave at once', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      try {
        const owners = [account({ role: 'owner' }), account({ role: 'owner' })] as const;
        const viewer = account();
        await add(store, ...owners, viewer);
        const gone = await Promise.all([
          isDone(store, store.members.removal(owners[0].id)),
          isDone(store, store.members.accessChange(owners[1], VIEWER)),
        ]);
        expect(gone.toSorted()).toEqual([false, true]);
        const nobody = { id: 'nobody', ...VIEWER };
        expect(await isDone(store, store.members.accessChange(nobody, VIEWER))).toBe(false);
        expect(await isDone(store, store.members.removal(viewer.id))).toBe(true);
        expect((await store.members.list()).filter(({ role }) => role === 'owner')).toHaveLength(1);
      } finally {
        await store.close();
        await database.remove();
      }
    });

    it('finds the member behind a token until it expires or is removed', async () => {
      const { store } = stores;
      const { members } = store;
      const jane = account();
      await add(store, jane);
      const hash = unique('hash');
      const token = {
        ...{ id: unique('token'), userId: jane.id, name: 'CI', hash, createdAt: START },
        ...{ scope: 'read' as const, onlyProject: 'shop' },
      };
      await store.commit([members.tokenCreation({ ...token, expiresAt: START + DAY })], []);
      const found = await stores.other.members.memberByToken(hash, START);
      expect(found?.member.role).toBe('viewer');
      expect(found?.token).toMatchObject({ scope: 'read' as const, onlyProject: 'shop' });
      await store.commit(members.accessChange(jane, { role: 'admin', projects: {} }), []);
      expect((await members.memberByToken(hash, START))?.member.role).toBe('admin');
      expect(await members.memberByToken(hash, START + DAY)).toBeUndefined();
      await members.touchToken(token.id, START + 5);
      expect((await members.tokens(jane.id))[0]?.lastUsedAt).toBe(START + 5);
      await store.commit([members.tokenRemoval('somebody else', token.id)], []);
      expect(await members.tokens(jane.id)).toHaveLength(1);
      await store.commit([members.tokenRemoval(jane.id, token.id)], []);
      expect(await members.memberByToken(hash, START)).toBeUndefined();
    });

    it('uses a link for a new password up once, and drops the account’s other links with it', async () => {
      const { store, other } = stores;
      const [jane, bob] = [account(), account()];
      await add(store, jane, bob);
      const links = [jane, jane, bob].map(({ id }) => ({ ...link('reset', unique('hash')), userId: id }));
      await store.commit(links.map(store.members.linkCreation), []);
      const [first, second, bobs] = links;
      const find = (one = first) => store.members.findLink('reset', one?.hash ?? '', START);
      expect((await find())?.userId).toBe(jane.id);
      const results = await Promise.all(
        [store, other, store, other].map((from) =>
          isDone(from, [
            ...from.members.linkRemoval(first?.id ?? ''),
            ...from.members.passwordChange(jane.id, unique('hash')),
          ]),
        ),
      );
      expect(results.filter((done) => done)).toHaveLength(1);
      expect([await find(), await find(second)]).toEqual([undefined, undefined]);
      expect((await find(bobs))?.userId).toBe(bob.id);
      await store.commit(store.members.distrust(bob.id), []);
      expect(await find(bobs)).toBeUndefined();
    });

    it('counts attempts exactly, in windows that begin with the first one', async () => {
      const name = unique('account');
      const counts = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? stores.store : stores.other).counters.count(name, DAY, START),
        ),
      );
      expect(counts.map(({ count }) => count).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
      expect((await stores.store.counters.count(name, DAY, START + DAY)).count).toBe(1);
      await stores.store.counters.forget(name);
      expect((await stores.store.counters.count(name, DAY, START)).count).toBe(1);
      await stores.store.commit([stores.store.counters.reset(name)], []);
      expect((await stores.store.counters.count(name, DAY, START)).count).toBe(1);
      await stores.store.counters.uncount(name);
      expect((await stores.store.counters.count(name, DAY, START)).count).toBe(1);
      await stores.store.members.tidy(START + 2 * DAY);
      expect((await stores.store.counters.count(name, DAY, START)).count).toBe(1);
    });

    it('tells the sign-in library how many rows its own statements changed', async () => {
      const { auth } = stores.store;
      const jane = account();
      await add(stores.store, jane);
      const mark = auth.dialect === 'postgres' ? '$1' : '?';
      const update = await auth.query(`update "auth_user" set name = name where id = ${mark}`, [jane.id]);
      expect(update).toEqual({ rows: [], changed: 1 });
      const none = await auth.query(`delete from "auth_user" where id = ${mark}`, ['nobody']);
      expect(none.changed).toBe(0);
      const read = await auth.query(`select email from auth_user where id = ${mark}`, [jane.id]);
      expect(read.rows).toEqual([{ email: jane.email }]);
    });
  });
}

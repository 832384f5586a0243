import { describe, expect, it } from 'vitest';
import type { NewAccount } from '../../src/store/tables/member-table.ts';
import type { Stores } from './store-contract.ts';
import { DAY, START, unique } from './store-fixtures.ts';

const VIEWER = { role: 'viewer', projects: {} } as const;

function account(traits: Partial<NewAccount> = {}): NewAccount {
  const id = unique('user');
  return {
    id,
    accountId: unique('account'),
    name: 'Jane',
    email: `${id}@example.com`,
    passwordHash: 'a hash',
    role: 'viewer',
    ...traits,
  };
}

function link(hash: string, role: 'viewer' | 'admin' | 'owner' = 'owner') {
  return { id: unique('link'), hash, role, projects: {}, createdAt: START, expiresAt: START + DAY };
}

function setupLink(hash: string) {
  return { ...link(hash), id: unique('setup-') };
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
        const late = await one.members.admit(account(), { kind: 'setup', hash: 'an older token' }, START);
        expect(late.result).toBe('link-unknown');
        const results = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            (index % 2 === 0 ? one : other).members.admit(account(), { kind: 'setup', hash: 'token' }, START),
          ),
        );
        expect(results.filter(({ result }) => result === 'admitted')).toEqual([
          { result: 'admitted', access: { role: 'owner', projects: {} } },
        ]);
        expect(await other.members.list()).toHaveLength(1);
        expect(await one.members.offerSetup(setupLink('another token'))).toBeUndefined();
      } finally {
        await Promise.all([one.close(), other.close()]);
        await database.remove();
      }
    });

    it('accepts an invitation once, in time, and never for an address that has an account', async () => {
      const { members } = stores.store;
      const claim = { kind: 'invite', hash: unique('hash') } as const;
      await members.invite(link(claim.hash, 'admin'));
      const [jane, expired] = [account(), account()];
      expect((await members.admit(expired, claim, START + DAY)).result).toBe('link-unknown');
      expect(await members.admit(jane, claim, START)).toEqual({
        result: 'admitted',
        access: { role: 'admin', projects: {} },
      });
      expect((await members.admit(account(), claim, START)).result).toBe('link-unknown');
      const second = { kind: 'invite', hash: unique('hash') } as const;
      await members.invite(link(second.hash, 'viewer'));
      const twin = await members.admit(account({ email: jane.email }), second, START);
      expect(twin.result).toBe('email-taken');
      expect(await members.find(jane.id)).toEqual({
        id: jane.id,
        name: 'Jane',
        email: jane.email,
        role: 'admin',
        projects: {},
        joinedAt: START,
        activeAt: null,
        twoFactorEnabled: false,
        passkeys: 0,
      });
    });

    it('keeps roles in selected projects, of invitations and members', async () => {
      const { members } = stores.store;
      const hash = unique('hash');
      const projects = { shop: 'admin', blog: 'viewer' } as const;
      await members.invite({ ...link(hash), role: 'none', projects });
      const jane = account();
      const admitted = await members.admit(jane, { kind: 'invite', hash }, START);
      expect(admitted).toEqual({ result: 'admitted', access: { role: 'none', projects } });
      expect(await stores.other.members.find(jane.id)).toMatchObject({ role: 'none', projects });
      const analyst = { role: 'analyst', projects: {} } as const;
      expect(await members.changeRole(jane.id, analyst, { role: 'none', projects })).toBe('done');
      expect(await stores.other.members.find(jane.id)).toMatchObject(analyst);
      // Somebody else changed the role, or the projects, after they were read.
      for (const before of [
        { role: 'none', projects: {} },
        { role: 'analyst', projects },
      ] as const)
        expect(await members.changeRole(jane.id, { role: 'admin', projects: {} }, before)).toBe('changed');
      expect(await stores.other.members.find(jane.id)).toMatchObject(analyst);
    });

    it('knows sessions, when they were active, and passkeys, each person only their own', async () => {
      const { members, auth } = stores.store;
      const [jane, eve] = [account(), account()];
      for (const one of [jane, eve]) await members.admit(one, null, START);
      const moment = (at: number) => new Date(at).toISOString();
      const [session, expired, passkey] = [unique('session'), unique('session'), unique('passkey')];
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
      expect(await members.endSession(eve.id, session)).toBe(false);
      expect(await members.endSession(jane.id, session)).toBe(true);
      expect(await members.sessions(jane.id, START)).toEqual([]);

      await auth.query(
        numbered(
          auth.dialect,
          `INSERT INTO auth_passkey (id, name, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp",
             transports, "createdAt") VALUES (?, 'Laptop', 'key', ?, ?, 0, 'multiDevice', true, 'internal', ?)`,
        ),
        [passkey, jane.id, unique('credential'), moment(START)],
      );
      expect(await members.passkeys(jane.id)).toEqual([
        { id: passkey, name: 'Laptop', createdAt: START, synced: true },
      ]);
      expect((await members.find(jane.id))?.passkeys).toBe(1);
      expect(await members.passkeys(eve.id)).toEqual([]);
      expect(await members.renamePasskey(eve.id, passkey, 'Mine')).toBe(false);
      expect(await members.removePasskey(eve.id, passkey)).toBe(false);
      expect(await members.renamePasskey(jane.id, passkey, 'Phone')).toBe(true);
      expect((await members.passkeys(jane.id))[0]?.name).toBe('Phone');
      expect(await members.remove(jane.id)).toBe('done');
      expect(await members.passkeys(jane.id)).toEqual([]);
    });

    it('keeps the last owner, even if two leave at once', async () => {
      const database = await stores.fresh();
      const store = await database.open();
      try {
        const owners = [account({ role: 'owner' }), account({ role: 'owner' })] as const;
        for (const owner of owners) await store.members.admit(owner, null, START);
        const [viewer] = [account()];
        await store.members.admit(viewer, null, START);
        const gone = await Promise.all([
          store.members.remove(owners[0].id),
          store.members.changeRole(owners[1].id, VIEWER, { role: 'owner', projects: {} }),
        ]);
        expect(gone.toSorted()).toEqual(['done', 'last-owner']);
        expect(await store.members.changeRole('nobody', VIEWER, VIEWER)).toBe('unknown');
        expect(await store.members.remove(viewer.id)).toBe('done');
        expect((await store.members.list()).filter(({ role }) => role === 'owner')).toHaveLength(1);
      } finally {
        await store.close();
        await database.remove();
      }
    });

    it('finds the member behind a token until it expires or is removed', async () => {
      const { members } = stores.store;
      const jane = account();
      await members.admit(jane, null, START);
      const hash = unique('hash');
      const token = { id: unique('token'), userId: jane.id, name: 'CI', hash, createdAt: START };
      await members.addToken({ ...token, expiresAt: START + DAY });
      expect((await stores.other.members.memberByToken(hash, START))?.member.role).toBe('viewer');
      await members.changeRole(jane.id, { role: 'admin', projects: {} }, VIEWER);
      expect((await members.memberByToken(hash, START))?.member.role).toBe('admin');
      expect(await members.memberByToken(hash, START + DAY)).toBeUndefined();
      await members.touchToken(token.id, START + 5);
      expect((await members.tokens(jane.id))[0]?.lastUsedAt).toBe(START + 5);
      expect(await members.removeToken('somebody else', token.id)).toBe(false);
      expect(await members.removeToken(jane.id, token.id)).toBe(true);
      expect(await members.memberByToken(hash, START)).toBeUndefined();
    });

    it('uses a link for a new password up once, and drops the account’s other links with it', async () => {
      const { store, other } = stores;
      const [jane, bob] = [account(), account()];
      for (const person of [jane, bob]) await store.members.admit(person, null, START);
      const addLink = async (userId: string) => {
        const hash = unique('hash');
        const times = { createdAt: START, expiresAt: START + DAY };
        await store.members.addResetLink({ id: unique('link'), hash, userId, ...times });
        return hash;
      };
      const hash = await addLink(jane.id);
      const second = await addLink(jane.id);
      const bobs = await addLink(bob.id);
      const reset = (from: typeof store, id: string, link: string, now = START) =>
        from.members.resetPassword(id, unique('hash'), {
          dropSecondFactor: false,
          link: { hash: link, now },
        });
      expect(await reset(store, jane.id, hash, START + DAY)).toBe(false);
      expect(await reset(store, jane.id, bobs)).toBe(false);
      const results = await Promise.all(
        [store, other, store, other].map((from) => reset(from, jane.id, hash)),
      );
      expect(results.filter((done) => done)).toHaveLength(1);
      expect(await reset(store, jane.id, second)).toBe(false);
      expect(await store.members.resetLinkOwner(bobs, START)).toBe(bob.id);
      await store.members.revokeTrustAndResetLinks(bob.id);
      expect(await store.members.resetLinkOwner(bobs, START)).toBeUndefined();
    });

    it('counts attempts exactly, in windows that begin with the first one', async () => {
      const name = unique('account');
      const counts = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? stores.store : stores.other).members.countAttempt(name, DAY, START),
        ),
      );
      expect(counts.map(({ count }) => count).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
      expect((await stores.store.members.countAttempt(name, DAY, START + DAY)).count).toBe(1);
      await stores.store.members.forgetAttempts(name);
      expect((await stores.store.members.countAttempt(name, DAY, START)).count).toBe(1);
      await stores.store.members.tidy(START + 2 * DAY);
      expect((await stores.store.members.countAttempt(name, DAY, START)).count).toBe(1);
    });

    it('tells the sign-in library how many rows its own statements changed', async () => {
      const { auth, members } = stores.store;
      const jane = account();
      await members.admit(jane, null, START);
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

import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../src/model/api-key.ts';
import { DEFAULT_POLICY } from '../../src/model/project.ts';
import { type Store, StoreConflict } from '../../src/store/store.ts';
import type { SigningKey } from '../../src/store/tables/instance-table.ts';
import type { Stores } from './store-contract.ts';
import {
  makeCaller,
  makeKey,
  makeProject,
  START,
  submissionOf,
  unique,
  updateProject,
} from './store-fixtures.ts';

export function accountsContract(stores: Stores): void {
  describe('projects', () => {
    it('are read back as they were created and changed', async () => {
      const { project } = await makeCaller(stores.store);
      expect(await stores.other.projects.find(project.id)).toEqual(project);
      const change = {
        name: 'Ünïcode “name”',
        allowedDomains: ['*.example.org'],
        plan: 'pro',
        quotaLimit: 10,
        rateClient: 1,
        rateServer: 2,
        policy: { ...DEFAULT_POLICY, relays: 'fail' as const },
        retentionDays: 7,
        allowList: [{ value: 'example.net', note: 'ours' }],
        blockList: [{ value: '192.0.2.0/24', expiresAt: START }],
        archivedAt: START,
        rules: [
          { id: 'r', name: 'R', when: 'ip.known', then: 'flag', mode: 'shadow', expiresAt: START } as const,
        ],
        namedLists: { partners: [{ value: 'example.org' }], empty: [] },
      };
      const changed = await updateProject(stores.store, project.id, change);
      expect(changed).toEqual({ ...project, ...change, version: 2 });
      expect(await stores.other.projects.find(project.id)).toEqual(changed);
      expect((await stores.other.projects.list()).map((one) => one.id)).toContain(project.id);
      const restored = await updateProject(stores.store, project.id, { archivedAt: null, quotaLimit: null });
      expect(restored).toMatchObject({ archivedAt: null, quotaLimit: null, version: 3 });
    });

    it('are not changed if they have another version than the caller saw', async () => {
      const { project } = await makeCaller(stores.store);
      const change = (store: Store, name: string) =>
        store.commit(store.projects.change(project, { name }), []);
      await change(stores.other, 'First');
      await expect(change(stores.store, 'Second')).rejects.toThrow(StoreConflict);
      const found = await stores.store.projects.find(project.id);
      expect(found).toMatchObject({ name: 'First', version: project.version + 1 });
    });

    it('keep the newest 200 versions of their policy, and none of a change that was refused', async () => {
      const { project } = await makeCaller(stores.store);
      const saved = { at: START, actor: 'cli', reason: null, policy: project.policy, rules: [] };
      const save = (name: string, version: number) =>
        stores.store.commit(stores.store.projects.change({ ...project, version }, { name }, saved), []);
      for (let number = 2; number <= 203; number += 1) await save(`N${number}`, number - 1);
      await expect(save('Late', 202)).rejects.toThrow(StoreConflict);
      const kept = await stores.other.policyVersions.page(project.id, 500);
      expect([kept.length, kept[0]?.number, kept.at(-1)?.number]).toEqual([200, 203, 4]);
      expect(await stores.other.policyVersions.find(project.id, 3)).toBeUndefined();
      expect(await stores.other.policyVersions.find(project.id, 203)).toEqual({ ...saved, number: 203 });
    });

    it('have unique IDs, also with concurrent calls', async () => {
      const id = unique('wanted');
      const create = () => makeProject(stores.store, { id });
      const results = await Promise.allSettled(Array.from({ length: 8 }, create));
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreConflict);
      }
    });

    it('that do not exist cannot be changed', async () => {
      const { project } = await makeCaller(stores.store);
      const changes = stores.store.projects.change({ ...project, id: 'nowhere' }, { name: 'x' });
      await expect(stores.store.commit(changes, [])).rejects.toThrow(StoreConflict);
      expect(await stores.store.projects.find('nowhere')).toBeUndefined();
      expect(await stores.store.projects.usage('nowhere', '2026-11')).toBe(0);
    });
  });

  describe('keys', () => {
    it('are found by their hash, with their project', async () => {
      const { project, key } = await makeCaller(stores.store);
      expect(await stores.other.findKey(key.hash)).toEqual({ key, project });
      expect(await stores.other.findKey('unknown')).toBeUndefined();
      expect(await stores.other.keys.find(key.id)).toEqual(key);
      expect(await stores.other.keys.find('unknown')).toBeUndefined();
    });

    it('can be found in one call', async () => {
      const callers = await Promise.all(Array.from({ length: 20 }, () => makeCaller(stores.store)));
      const hashes = callers.flatMap(({ key }) => [key.hash, `${key.hash}-unknown`]);
      const found = await Promise.all(hashes.map((hash) => stores.store.findKey(hash)));
      expect(found.map((one) => one?.key.id)).toEqual(callers.flatMap(({ key }) => [key.id, undefined]));
    });

    it('are listed by project', async () => {
      const { project, key } = await makeCaller(stores.store);
      const second = await makeKey(stores.store, project, { type: 'client', mode: 'test' });
      expect(await stores.store.keys.list(project.id)).toEqual([key, second]);
      expect((await stores.store.keys.list()).length).toBeGreaterThanOrEqual(2);
    });

    it('are refused in their old form as soon as they are replaced or revoked', async () => {
      const { key } = await makeCaller(stores.store);
      const secret = { hash: `second-${key.id}`, hint: 'ps_new', expiresAt: START + 5 };
      const replaced = { ...key, ...secret, createdAt: START + 1, version: 2 };
      await stores.store.commit(stores.store.keys.secretChange(key, replaced), []);
      expect(await stores.other.keys.find(key.id)).toEqual(replaced);
      expect(await stores.other.findKey(key.hash)).toBeUndefined();
      expect((await stores.other.findKey(secret.hash))?.key).toEqual(replaced);
      const revoke = (at: number) => stores.store.commit([stores.store.keys.revocation(key, at)], []);
      await revoke(START + 2);
      const revoked = { ...replaced, revokedAt: START + 2, version: 3 };
      expect((await stores.other.findKey(secret.hash))?.key).toEqual(revoked);
      await revoke(START + 9);
      expect(await stores.other.keys.find(key.id)).toEqual(revoked);
    });

    it('get one new secret when two are made at once', async () => {
      const { key } = await makeCaller(stores.store);
      const change = (store: Store, name: string) =>
        store.commit(store.keys.secretChange(key, { ...key, hash: `${name}-${key.id}` }), []);
      const changes = await Promise.allSettled([change(stores.store, 'a'), change(stores.other, 'b')]);
      const failures = changes.filter((result) => result.status === 'rejected');
      expect(failures.map(({ reason }) => reason)).toEqual([expect.any(StoreConflict)]);
      const found = await Promise.all(['a', 'b'].map((name) => stores.store.findKey(`${name}-${key.id}`)));
      expect(found.filter((one) => one !== undefined)).toHaveLength(1);
    });

    it('need a project and a unique ID', async () => {
      const { project, key } = await makeCaller(stores.store);
      await expect(makeKey(stores.store, { ...project, id: 'nowhere' })).rejects.toThrow(StoreConflict);
      const create = (fields: Partial<ApiKey>) =>
        stores.store.commit(stores.store.keys.creation({ ...key, ...fields }), []);
      await expect(create({ hash: 'another' })).rejects.toThrow();
      await expect(create({ id: unique('key') })).rejects.toThrow();
    });

    it('record their last use once a minute, without a new version', async () => {
      const caller = await makeCaller(stores.store);
      const lastUse = async (now: number) => {
        expect((await stores.store.settle(submissionOf(caller, { now }))).result).toBe('admitted');
        return (await stores.store.keys.find(caller.key.id))?.lastUsedAt;
      };
      expect(await lastUse(START)).toBe(START);
      expect(await lastUse(START + 59_999)).toBe(START);
      expect(await lastUse(START + 60_000)).toBe(START + 60_000);
      expect((await stores.store.keys.find(caller.key.id))?.version).toBe(1);
    });
  });

  describe('the instance', () => {
    it('has one secret per name, also with concurrent calls', async () => {
      const name = unique('secret');
      const secrets = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 ? stores.store : stores.other).instance.secret(name, () => `made by ${index}`),
        ),
      );
      expect(new Set(secrets).size).toBe(1);
      expect(await stores.store.instance.secret(name, () => 'too late')).toBe(secrets[0]);
    });

    it('has one live signing key, also with concurrent calls, and keeps the retired ones', async () => {
      const keyNamed = (kid: string, createdAt: number): SigningKey => ({
        kid,
        privateKey: 'pem',
        publicKey: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x: 'x' },
        createdAt,
        retiredAt: null,
      });
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 ? stores.store : stores.other).instance.firstSigningKey(keyNamed(unique('kid'), START)),
        ),
      );
      const [first] = results.flat();
      for (const keys of results) expect(keys).toEqual([first]);
      const { store } = stores;
      const rotated = keyNamed('rotated', START + 1);
      await store.commit(store.instance.signingKeyRotation(rotated), []);
      const all = [rotated, { ...first, retiredAt: START + 1 }];
      expect(await stores.other.instance.signingKeys()).toEqual(all);
      await store.commit(store.instance.signingKeyRemoval([first?.kid ?? '']), []);
      expect(await store.instance.signingKeys()).toEqual([rotated]);
    });

    it('answers a ping', async () => {
      await expect(stores.store.ping()).resolves.toBeUndefined();
    });
  });

  describe('the audit', () => {
    it('is read newest first, by project and page by page', async () => {
      const projectId = unique('audited');
      const row = (at: number, project: string | null) => ({
        at,
        actor: 'cli',
        action: 'key.create',
        projectId: project,
        detail: { key: `key-${at}`, nested: ['ü'] },
      });
      const rows = [1, 2, 3].map((offset) => row(START + offset, projectId));
      for (const one of [...rows, row(START + 4, null)]) await stores.store.audit.append(one);
      const newest = await stores.other.audit.page(projectId, 2, null);
      expect(newest).toMatchObject([{ ...rows[2] }, { ...rows[1] }]);
      const next = await stores.other.audit.page(projectId, 2, newest[1]?.id ?? null);
      expect(next).toMatchObject([{ ...rows[0] }]);
      expect((await stores.other.audit.page(null, 1, null))[0]).toMatchObject(row(START + 4, null));
    });
  });

  describe('opening', () => {
    it('creates the tables once if ten processes start together on an empty database', async () => {
      const database = await stores.fresh();
      const opened = await Promise.all(Array.from({ length: 10 }, () => database.open()));
      const [first, ...others] = opened;
      if (!first) throw new Error('Nothing was opened');
      const { project } = await makeCaller(first);
      for (const store of others) expect(await store.projects.find(project.id)).toEqual(project);
      await Promise.all(opened.map((store) => store.close()));
      await database.remove();
    });

    it('finds everything again after closing and opening', async () => {
      const database = await stores.fresh();
      const before = await database.open();
      const caller = await makeCaller(before);
      await before.settle(submissionOf(caller, { device: 'd', inbox: 'a' }));
      await before.close();
      const after = await database.open();
      const settlement = await after.settle(submissionOf(caller, { device: 'd', inbox: 'b' }));
      expect(settlement).toMatchObject({
        quota: { used: 2 },
        rate: { remaining: 999_998 },
        validated: { history: { device: { previousSignups: 1 } } },
      });
      await after.close();
      await database.remove();
    });
  });
}

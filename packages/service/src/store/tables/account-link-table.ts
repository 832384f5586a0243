import type { MemberRole } from '@postern/contract/dashboard';
import { integer, text, textOrNull } from '../columns.ts';
import { type Database, lockMembers, lockName, type Statement, statement } from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';
import { type Access, projectRoles } from './member-row.ts';

/** `setup` and `invite` create an account; `reset` and `sign-in` let an existing member in. */
export type LinkKind = 'setup' | 'invite' | 'reset' | 'sign-in';

export const ACCOUNT_LINK = tableOf('account_link', {
  id: text,
  kind: text<LinkKind>,
  hash: text,
  role: text<MemberRole>,
  createdAt: integer,
  expiresAt: integer,
  projectRoles,
  /** The member whom it lets in, or `null` if it creates an account. */
  userId: textOrNull,
});

/** A link that works once. Only the hash of its token is kept. */
export type LinkRow = Access & Omit<RowOf<typeof ACCOUNT_LINK>, 'hash' | 'projectRoles'>;

export type NewLink = LinkRow & { readonly hash: string };

export function accountLinkStore(database: Database) {
  return {
    /**
     * Keeps this link if there is no valid set-up link yet, and returns the ID of the valid one, which is the same for all
     * processes. `undefined` once there is a member.
     */
    async offerSetup({ projects, ...link }: NewLink): Promise<string | undefined> {
      // Processes that start for the first time at once create one link.
      const results = await database.write([
        lockName('setup-link'),
        ACCOUNT_LINK.remove(
          { kind: 'setup' },
          'AND (expires_at <= ? OR EXISTS (SELECT 1 FROM member))',
          link.createdAt,
        ),
        ACCOUNT_LINK.insert(
          { ...link, projectRoles: projects },
          {
            when: {
              sql: "NOT EXISTS (SELECT 1 FROM member) AND NOT EXISTS (SELECT 1 FROM account_link WHERE kind = 'setup')",
              values: [],
            },
          },
        ),
        statement("SELECT id FROM account_link WHERE kind = 'setup'"),
      ]);
      const [valid] = results.at(-1) ?? [];
      return valid && text(valid, 'id');
    },
    linkCreation: ({ projects, ...link }: NewLink): Statement =>
      ACCOUNT_LINK.insert({ ...link, projectRoles: projects }),
    async invites(now: number): Promise<LinkRow[]> {
      const unexpired = 'AND expires_at > ? ORDER BY created_at, id';
      return (await ACCOUNT_LINK.findAll(database.read, { kind: 'invite' }, unexpired, now)).map(toLink);
    },
    /** The link with that hash, if it was neither used nor has expired. */
    async findLink(kind: LinkKind, hash: string, now: number): Promise<LinkRow | undefined> {
      const found = await ACCOUNT_LINK.find(database.read, { hash, kind }, 'AND expires_at > ?', now);
      return found && toLink(found);
    },
    /** For a link that was used or is withdrawn. If several callers try at once, only one succeeds. */
    linkRemoval: (id: string): Statement[] => [
      lockMembers(),
      ACCOUNT_LINK.mustHave({ id }),
      ACCOUNT_LINK.remove({ id }),
    ],
  };
}

function toLink({ hash, projectRoles: projects, ...link }: RowOf<typeof ACCOUNT_LINK>): LinkRow {
  return { ...link, projects };
}

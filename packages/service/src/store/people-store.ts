import type { MemberRole, ProjectRole } from '@postern/contract/dashboard';
import type { SqlValue } from './database.ts';

/** The people who use the dashboard, the links that make their accounts, and their tokens for scripts. */
export interface PeopleStore {
  members(): Promise<MemberRow[]>;
  member(id: string): Promise<MemberRow | undefined>;
  hasMembers(): Promise<boolean>;
  /**
   * Creates an account, or returns why not. Among concurrent calls only one creates the first account, and only one can
   * use a link. `link` is the hash of the token to use up, or `null` if none is needed.
   */
  admit(account: NewAccount, link: LinkClaim | null, now: number): Promise<AdmitOutcome>;
  /** `last-owner`: nothing was changed, because nobody would be left who can undo it. */
  /** `changed`: the member’s access was no longer `before`. */
  changeRole(
    id: string,
    access: Access,
    before: Access,
  ): Promise<'done' | 'changed' | 'unknown' | 'last-owner'>;
  /** With everything that lets the person in: sessions, password, second factor, passkeys, tokens. */
  remove(id: string): Promise<'done' | 'unknown' | 'last-owner'>;
  rename(id: string, name: string): Promise<void>;
  /** Notes that the member is active, in that session if there is one. */
  touch(id: string, sessionToken: string | null, now: number): Promise<void>;
  /** Ends every session, and forgets trusted devices and links. `false`: nothing changed, because the link is used up. */
  resetPassword(id: string, passwordHash: string, options: ResetOptions): Promise<boolean>;
  /** Trusted devices must enter the second factor again, and links for a new password stop working. */
  distrustDevices(id: string): Promise<void>;

  /**
   * The ID of the set-up link that is valid at this time: an earlier one that has not expired, or else this one. All
   * processes get the same. `undefined` once somebody is a member.
   */
  offerSetup(link: NewLink): Promise<string | undefined>;
  invite(link: NewLink): Promise<void>;
  invites(now: number): Promise<LinkRow[]>;
  /** Whether the invitation with that hash can still be used. */
  isInvited(hash: string, now: number): Promise<boolean>;
  withdrawInvite(id: string): Promise<boolean>;
  addResetLink(link: NewResetLink): Promise<void>;
  /** The member whose password the link can set. */
  resetLinkOwner(hash: string, now: number): Promise<string | undefined>;

  /** The sessions that have not expired, the most recently active first. */
  sessions(userId: string, now: number): Promise<SessionRow[]>;
  endSession(userId: string, id: string): Promise<boolean>;
  passkeys(userId: string): Promise<PasskeyRow[]>;
  renamePasskey(userId: string, id: string, name: string): Promise<boolean>;
  removePasskey(userId: string, id: string): Promise<boolean>;

  addToken(token: NewToken): Promise<void>;
  tokens(userId: string): Promise<TokenRow[]>;
  /** The member behind a token that is neither expired nor removed. */
  memberByToken(hash: string, now: number): Promise<{ token: TokenRow; member: MemberRow } | undefined>;
  touchToken(id: string, now: number): Promise<void>;
  removeToken(userId: string, id: string): Promise<boolean>;

  /** Counts one attempt and returns how many there were in the window, which began with the first one. */
  countAttempt(name: string, windowMs: number, now: number): Promise<{ count: number; resetsAt: number }>;
  forgetAttempts(name: string): Promise<void>;
  /** Deletes expired attempts, links and sessions. */
  tidy(now: number): Promise<void>;
}

export interface ResetOptions {
  /** The password alone is enough again, and the only way in: passkeys are removed too. */
  readonly dropSecondFactor: boolean;
  /** The link that must still be open; it is used up. */
  readonly link?: { readonly hash: string; readonly now: number } | undefined;
}

/** What a member may do: a role everywhere, and other roles in some projects. */
export interface Access {
  readonly role: MemberRole;
  readonly projects: Readonly<Record<string, ProjectRole>>;
}

export interface MemberRow extends Access {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly joinedAt: number;
  readonly activeAt: number | null;
  readonly twoFactorEnabled: boolean;
  readonly passkeys: number;
}

export interface SessionRow {
  readonly id: string;
  readonly token: string;
  readonly userAgent: string;
  readonly createdAt: number;
  readonly activeAt: number;
}

export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly synced: boolean;
}

export interface NewAccount {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly passwordHash: string;
  /** The role of the account if no link states one. */
  readonly role: MemberRole;
}

export interface LinkClaim {
  readonly kind: 'setup' | 'invite';
  readonly hash: string;
}

export type AdmitOutcome =
  | { readonly outcome: 'admitted'; readonly access: Access }
  | { readonly outcome: 'link-unknown' }
  | { readonly outcome: 'email-taken' };

export interface NewLink extends Access {
  readonly id: string;
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type LinkRow = Omit<NewLink, 'hash'>;

/** A link that sets a member’s password once. */
export interface NewResetLink {
  readonly id: string;
  readonly hash: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface NewToken {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export type TokenRow = Omit<NewToken, 'hash'> & { readonly lastUsedAt: number | null };

/** The tables that the sign-in library keeps with SQL of its own, in the back end’s dialect. */
export interface AuthDatabase {
  readonly dialect: 'sqlite' | 'postgres';
  query(
    sql: string,
    values: readonly SqlValue[],
  ): Promise<{ rows: Record<string, unknown>[]; changed: number }>;
}

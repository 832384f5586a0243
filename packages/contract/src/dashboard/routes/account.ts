import * as z from 'zod';
import { lifetimeDays, line, text } from '../fields.ts';
import {
  type AccessToken,
  type Invite,
  type InviteState,
  type NewInvite as IssuedInvite,
  type NewAccessToken as IssuedToken,
  MEMBER_ROLES,
  type Member,
  type PasswordWasReset,
  PROJECT_ROLES,
  type ResetLinkState,
  type Session,
  type SessionView,
  type SetupState,
  TOKEN_SCOPES,
} from '../members.ts';
import { json, NOTHING, routes } from '../route.ts';

const LinkToken = z.strictObject({ token: z.string().meta({ expected: 'the token of the link' }) });
const NewAccount = LinkToken.extend({ name: line(100), email: z.string(), password: z.string() });
const ForgotPassword = z.strictObject({
  email: z.string().max(320).regex(/@/).meta({ expected: 'the address of your account' }),
});
const ResetPassword = LinkToken.extend({
  password: z.string(),
  /** Also removes the account’s access tokens. */
  revokeTokens: z.boolean().optional(),
});
const OwnName = z.strictObject({ name: line(100) });
const MemberChange = z.strictObject({
  role: z.enum(MEMBER_ROLES).optional(),
  /** Replaces the roles in selected projects. */
  projects: z.record(z.string(), z.enum(PROJECT_ROLES)).optional(),
});
const NewInvite = MemberChange.extend({
  role: z.enum(MEMBER_ROLES),
  /** The link is mailed there. */
  email: z.string().max(320).optional(),
});
const NewAccessToken = z.strictObject({
  name: line(100),
  scope: z.enum(TOKEN_SCOPES).optional(),
  onlyProject: text(100).nullish(),
  expiresInDays: lifetimeDays,
});

const ANYONE = { role: 'anyone', of: 'service' } as const;
const OWN = { role: 'member', of: 'account' } as const;
const OWNER = { role: 'owner', sessionOnly: true, of: 'service' } as const;

export const ACCOUNT_ROUTES = routes({
  'GET /setup': {
    ...ANYONE,
    answer: json<SetupState>(),
    what: '`needed`: `true` until the first account exists; `passwordMail`: whether people can reset their password by mail',
  },
  'POST /setup': {
    ...ANYONE,
    body: NewAccount,
    answer: json<Member>(),
    what: 'creates the first account with the token of the printed link, and signs in',
  },
  'POST /sign-in-link': {
    ...ANYONE,
    body: LinkToken,
    answer: json<Member>(),
    what: 'signs in once with the token of a link that `postern user sign-in-link` printed',
  },
  'POST /invites/check': {
    ...ANYONE,
    body: LinkToken,
    answer: json<InviteState>(),
    what: 'whether the invitation can still be used',
  },
  'POST /invites/accept': {
    ...ANYONE,
    body: NewAccount,
    answer: json<Member>(),
    what: 'creates an account with an invitation’s token, and signs in',
  },
  'POST /password/forgot': {
    ...ANYONE,
    body: ForgotPassword,
    answer: json<Record<never, never>>(),
    what: 'mails that account a link; 202 whether or not the account exists; 404 if the service cannot send mail',
  },
  'POST /password/check': {
    ...ANYONE,
    body: LinkToken,
    answer: json<ResetLinkState>(),
    what: 'whether the link for a new password can still be used',
  },
  'POST /password/reset': {
    ...ANYONE,
    body: ResetPassword,
    answer: json<PasswordWasReset>(),
    what: 'sets the password once and ends every session',
  },
  'GET /session': {
    ...OWN,
    answer: json<Session>(),
    what: 'who is signed in, the CSRF token, the plans; 401 when nobody is signed in',
  },
  'PATCH /session': { ...OWN, body: OwnName, answer: json<Member>(), what: 'changes your own name' },
  'GET /members': {
    role: 'viewer',
    of: 'service',
    answer: json<Member[]>(),
    what: 'everybody with an account',
  },
  'PATCH /members/:id': {
    ...OWNER,
    body: MemberChange,
    answer: json<Member>(),
    what: '`projects`: the role in selected projects by their ID, `{}` for none',
  },
  'DELETE /members/:id': {
    ...OWNER,
    answer: NOTHING,
    what: 'removes a member; ends their sessions and tokens at once',
  },
  'GET /sessions': { ...OWN, answer: json<SessionView[]>(), what: 'your own sessions: device, last active' },
  'DELETE /sessions/:id': { ...OWN, answer: NOTHING, what: 'ends one of your sessions' },
  'GET /invites': { role: 'owner', of: 'service', answer: json<Invite[]>(), what: 'open invitations' },
  'POST /invites': {
    ...OWNER,
    body: NewInvite,
    answer: json<IssuedInvite>(),
    what: 'creates an invitation; its link is shown once, and sent to `email` (`mail`: `sent` or `failed`)',
  },
  'DELETE /invites/:id': { ...OWNER, answer: NOTHING, what: 'withdraws an invitation' },
  'GET /tokens': { ...OWN, answer: json<AccessToken[]>(), what: 'your own access tokens' },
  'POST /tokens': {
    ...OWN,
    sessionOnly: true,
    body: NewAccessToken,
    answer: json<IssuedToken>(),
    what: 'creates a token, which is shown once; needs a session. `scope`: `full` (by default) for what your role allows, or `read` for GET requests only. `onlyProject`: the ID of the only project that it may use',
  },
  'DELETE /tokens/:id': { ...OWN, answer: NOTHING, what: 'removes one of your own tokens' },
});

import type { MemberRole } from '@postern/contract/dashboard';

export const ROLE_NAMES: Readonly<Record<MemberRole, string>> = {
  none: 'selected projects',
  viewer: 'viewer',
  analyst: 'analyst',
  admin: 'admin',
  owner: 'owner',
};

export const ROLE_HELP: Readonly<Record<MemberRole, string>> = {
  none: 'Sees only the projects below, and nothing of others.',
  viewer: 'Can read everything, but change nothing.',
  analyst: 'Can also review, change the lists and check files.',
  admin: 'Can also change projects, keys and policies.',
  owner: 'Can also invite and remove members, and change roles.',
};

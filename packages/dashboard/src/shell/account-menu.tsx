import type { MemberRole } from '@postern/contract/dashboard';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { postAuth } from '../api/client.ts';
import { leave } from '../api/leave.ts';
import { useChange } from '../api/use-change.ts';
import { PopupMenu } from '../components/popup-menu.tsx';
import { ChevronsUpDown, CircleHelp, LogOut, UserRound } from '../icons.ts';
import { HELP_PAGES } from './help-pages.ts';

export function AccountMenu({ name, email, role }: { name: string; email: string; role: MemberRole }) {
  const navigate = useNavigate();
  const page = useLocation().pathname.split('/').at(-1) ?? '';
  const signOut = useChange({ send: () => postAuth('/sign-out'), onDone: leave });
  return (
    <PopupMenu
      side="top"
      className="flex w-full min-w-0 items-center gap-2.5 rounded-lg px-1.5 py-1 text-left hover:bg-hover"
      button={
        <>
          <span
            aria-hidden="true"
            className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-[0.8rem] font-semibold text-accent-deep"
          >
            {initials(name)}
          </span>
          <span className="min-w-0 flex-1 truncate text-[0.9rem]">
            <span className="sr-only">Account of </span>
            {name}
          </span>
          <ChevronsUpDown size={14} className="shrink-0 text-faint" />
        </>
      }
      heading={
        <div className="px-2.5 pt-1 pb-2 text-[0.8667rem] text-soft">
          <div className="truncate">{email}</div>
          <div className="text-faint">
            {role === 'none' ? 'Member of selected projects' : `Signed in as ${role}`}
          </div>
        </div>
      }
      entries={[
        {
          key: 'account',
          icon: <UserRound size={16} />,
          label: 'Your account',
          onPick: () => void navigate({ to: '/account' }),
        },
        {
          key: 'help',
          icon: <CircleHelp size={16} />,
          label: 'Help with this page',
          // Beside it, so that a form that is being filled in stays.
          onPick: () => window.open(`/docs/${HELP_PAGES[page] ?? 'dashboard.html'}`, '_blank', 'noreferrer'),
        },
        {
          key: 'sign out',
          icon: <LogOut size={16} />,
          label: 'Sign out',
          onPick: () => signOut.mutate(),
        },
      ]}
    />
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = words[0]?.[0] ?? '?';
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? '') : '';
  return `${first}${last}`.toUpperCase();
}

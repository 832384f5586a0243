import { Menu } from '@base-ui/react/menu';
import type { Role } from '@postern/contract/dashboard';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, LogOut, UserRound } from 'lucide-react';
import { postAuth } from '../api/client.ts';
import { leave } from '../api/leave.ts';
import { useChange } from '../api/use-change.ts';

const ITEM =
  'flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-[0.9333rem] outline-none data-highlighted:bg-hover';

export function AccountMenu({ name, email, role }: { name: string; email: string; role: Role }) {
  const navigate = useNavigate();
  const signOut = useChange({
    send: () => postAuth('/sign-out'),
    onDone: leave,
  });
  return (
    <Menu.Root>
      <Menu.Trigger className="flex w-full min-w-0 items-center gap-2.5 rounded-lg px-1.5 py-1 text-left hover:bg-hover">
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
        <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-faint" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side="top" align="start" sideOffset={6} className="z-40">
          <Menu.Popup className="min-w-56 rounded-xl border border-line bg-surface p-1.5 shadow-pop outline-none">
            <div className="px-2.5 pt-1 pb-2 text-[0.8667rem] text-soft">
              <div className="truncate">{email}</div>
              <div className="text-faint">Signed in as {role}</div>
            </div>
            <Menu.Item className={ITEM} onClick={() => void navigate({ to: '/account' })}>
              <UserRound size={16} aria-hidden="true" /> Your account
            </Menu.Item>
            <Menu.Item className={ITEM} onClick={() => signOut.mutate()}>
              <LogOut size={16} aria-hidden="true" /> Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = words[0]?.[0] ?? '?';
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? '') : '';
  return `${first}${last}`.toUpperCase();
}

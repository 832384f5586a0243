import { Link, useMatches } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useContext } from 'react';
import { useSession } from '../api/use-session.ts';
import { kindOf } from '../pages/things/read-things.ts';
import { PROJECT_PLACES, WORKSPACE } from './navigation.ts';
import { TryAddress } from './try-address.ts';

/** Pages that are opened from a tab, and the tab. */
const OPENED_FROM: Readonly<Record<string, string>> = {
  '/projects/$projectId/rules/$rule': '/projects/$projectId/rules',
  '/projects/$projectId/rules/$rule/edit': '/projects/$projectId/rules',
  '/projects/$projectId/new-rule': '/projects/$projectId/rules',
  '/projects/$projectId/policy-history': '/projects/$projectId/rules',
  '/projects/$projectId/campaigns/$campaignId': '/projects/$projectId/campaigns',
};

/** Mail hosts have no list of their own. */
const LIST_OF: Readonly<Record<string, string>> = { mailHost: 'domain' };

/** The place and the tab that are open. */
export function useOpenPlace() {
  const match = useMatches({ select: (matches) => matches.at(-1) });
  const path = match?.fullPath.replace(/(?<=.)\/$/, '') ?? '/';
  const isThing = path === '/projects/$projectId/thing';
  const to = isThing ? '/projects/$projectId/things/$kind' : (OPENED_FROM[path] ?? path);
  const named: string | undefined = isThing
    ? kindOf(match?.search ?? {})
    : Reflect.get(match?.params ?? {}, 'kind');
  const kind = named === undefined ? undefined : (LIST_OF[named] ?? named);
  for (const place of [...PROJECT_PLACES, WORKSPACE])
    for (const tab of place.tabs)
      if (tab.to === to && (tab.kind === undefined || tab.kind === kind)) return { place, tab };
  return undefined;
}

/** The pages of the place that is open, above the page. */
export function PlaceTabs() {
  const tryAddress = useContext(TryAddress);
  const open = useOpenPlace();
  const { user } = useSession();
  const projectId = useMatches({
    select: (matches): string => Reflect.get(matches.at(-1)?.params ?? {}, 'projectId') ?? '',
  });
  const tabs = open?.place.tabs.filter(({ to }) => to !== '/members' || user.role !== 'none') ?? [];
  if (open === undefined || tabs.length < 2) return null;
  return (
    <nav aria-label={open.place.name} className="mb-5 flex flex-wrap gap-x-1 border-b border-line">
      {tabs.map(({ to, name, kind = '' }) => {
        const isOpen = open.tab.to === to && (open.tab.kind ?? '') === kind;
        return (
          <Link
            key={to + kind}
            to={to}
            params={{ projectId, kind }}
            {...(isOpen && { 'aria-current': 'page' as const })}
            className={clsx(
              '-mb-px border-b-2 px-2.5 py-1.5 text-[0.9rem]',
              isOpen ? 'border-accent font-medium text-ink' : 'border-transparent text-soft hover:text-ink',
            )}
          >
            {name}
          </Link>
        );
      })}
      {open.place.name === 'Rules' && (
        <button type="button" onClick={tryAddress} className="link ml-auto px-2.5 py-1.5 text-[0.9rem]">
          Try an address
        </button>
      )}
    </nav>
  );
}

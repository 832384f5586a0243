import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { healthQuery } from '../api/queries.ts';
import { useSession } from '../api/use-session.ts';
import { SearchField } from '../components/search-field.tsx';
import { Menu as MenuIcon, Search, X } from '../icons.ts';
import { AccountMenu } from './account-menu.tsx';
import { CampaignCount } from './campaign-banner.tsx';
import { HelpLink } from './help-link.tsx';
import { JumpMenu } from './jump-menu.tsx';
import { Logo } from './logo.tsx';
import { PROJECT_GROUPS, WORKSPACE_PLACES } from './navigation.ts';
import { ProjectSwitcher } from './project-switcher.tsx';
import { ReviewCount } from './review-count.tsx';
import { ServiceDown } from './service-down.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { useKeepPage } from './use-keep-page.ts';

export function AppShell() {
  useKeepPage();
  const [jumping, setJumping] = useState(false);
  const [menuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();

  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    setMenuOpen(false);
    // As with a page load: screen readers announce the new page, and Tab continues inside it.
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [pathname]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setJumping(true);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  return (
    <div className="lg:grid lg:min-h-dvh lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:px-3 focus:py-2 focus:shadow-pop"
      >
        Skip to the content
      </a>
      <header className="sticky top-0 z-20 flex items-center gap-2 border-b border-line bg-surface px-4 py-2 lg:hidden">
        <Link to="/" aria-label="Postern: all projects" className="rounded-lg">
          <Logo />
        </Link>
        <div className="min-w-0 flex-1">
          <ProjectSwitcher />
        </div>
        <IconButton label="Jump to…" onClick={() => setJumping(true)}>
          <Search size={18} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={menuOpen ? 'Close the menu' : 'Open the menu'}
          onClick={() => setMenuOpen(!menuOpen)}
          expanded={menuOpen}
        >
          {menuOpen ? <X size={18} aria-hidden="true" /> : <MenuIcon size={18} aria-hidden="true" />}
        </IconButton>
      </header>
      <Sidebar open={menuOpen} onJump={() => setJumping(true)} />
      <main id="content" tabIndex={-1} className="min-w-0 px-4 py-6 outline-none sm:px-6 lg:px-9 lg:py-8">
        <div className="mx-auto max-w-6xl">
          <ServiceDown />
          <Outlet />
        </div>
      </main>
      <SignInAgain />
      {jumping && <JumpMenu onClose={() => setJumping(false)} />}
    </div>
  );
}

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

interface IconButtonProps {
  label: string;
  onClick: () => void;
  expanded?: boolean;
  children: React.ReactNode;
}

function IconButton({ label, onClick, expanded, children }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-expanded={expanded}
      onClick={onClick}
      className="grid size-9 shrink-0 place-items-center rounded-lg text-soft hover:bg-hover hover:text-ink"
    >
      {children}
    </button>
  );
}

function Sidebar({ open, onJump }: { open: boolean; onJump: () => void }) {
  const { projectId } = useParams({ strict: false });
  const { user } = useSession();
  return (
    <aside
      className={`${open ? 'block' : 'hidden'} border-b border-line bg-surface lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:border-r lg:border-b-0`}
    >
      <div className="hidden items-center gap-2.5 px-4 pt-3 pb-1 lg:flex">
        <Link
          to="/"
          className="flex items-center gap-2.5 rounded-lg text-[1.05rem] font-semibold tracking-tight"
        >
          <Logo /> Postern
        </Link>
      </div>
      <div className="hidden px-3 py-1.5 lg:block">
        <ProjectSwitcher />
      </div>
      <div className="grid gap-1.5 overflow-y-auto px-3 py-1 lg:flex-1 lg:content-start">
        {projectId !== undefined && <SearchField key={projectId} projectId={projectId} />}
        {projectId !== undefined && <ProjectNav projectId={projectId} />}
        <WorkspaceNav heading={projectId !== undefined} />
      </div>
      <div className="grid gap-1.5 border-t border-line px-3 py-2">
        <div className="flex items-center justify-between gap-2">
          <button
            type="button"
            onClick={onJump}
            className="hidden min-h-8.5 flex-1 items-center justify-between rounded-lg border border-line bg-sunken px-2.5 text-[0.8667rem] text-soft hover:border-line-strong lg:flex"
          >
            Jump <kbd className="font-sans text-[0.8rem] whitespace-nowrap text-faint">{SHORTCUT}</kbd>
          </button>
          <ThemeSwitch />
        </div>
        <AccountMenu name={user.name} email={user.email} role={user.role} />
      </div>
    </aside>
  );
}

const ITEM =
  'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-[0.9rem] text-soft hover:bg-hover hover:text-ink lg:py-[0.1rem]';
const GROUP = 'px-2.5 pb-0.5 text-[0.8rem] font-medium text-faint';
const ACTIVE = { className: 'bg-accent-soft font-medium !text-accent-deep', 'aria-current': 'page' } as const;

function ProjectNav({ projectId }: { projectId: string }) {
  return (
    <nav aria-label="Project" className="grid gap-1.5">
      {PROJECT_GROUPS.map((group) => (
        <div key={group.name} className="grid gap-px">
          <p className={GROUP}>{group.name}</p>
          {group.places.map(({ to, name, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              params={{ projectId }}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={ACTIVE}
              className={ITEM}
            >
              <Icon size={16} aria-hidden="true" />
              {name}
              {to === '/projects/$projectId/review' && <ReviewCount projectId={projectId} />}
              {to === '/projects/$projectId/campaigns' && <CampaignCount projectId={projectId} />}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

function WorkspaceNav({ heading }: { heading: boolean }) {
  const { data: health } = useQuery(healthQuery);
  const { user } = useSession();
  const places = WORKSPACE_PLACES.filter(({ to }) => to !== '/members' || user.role !== 'none');
  const degraded = health !== undefined && health.status !== 'ready';
  return (
    // Two columns below a project’s pages, so that all of it fits into a laptop’s window.
    <nav aria-label="Workspace" className={`grid gap-px ${heading ? 'grid-cols-2' : ''}`}>
      {heading && <p className={`${GROUP} col-span-2`}>Workspace</p>}
      {places.map(({ to, name, shortName = name, icon: Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: true }} activeProps={ACTIVE} className={ITEM}>
          <Icon size={16} aria-hidden="true" />
          {heading ? shortName : name}
          {to === '/health' && degraded && (
            <span
              className="ml-auto flex items-center gap-1.5 text-[0.8rem] text-flag"
              title={heading ? health.status : undefined}
            >
              <span className="size-2 rounded-full bg-flag-fill" aria-hidden="true" />
              <span className={heading ? 'sr-only' : ''}>{health.status}</span>
            </span>
          )}
        </Link>
      ))}
      <HelpLink className={ITEM} />
    </nav>
  );
}

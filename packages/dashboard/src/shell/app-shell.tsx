import { REVIEW_MAX_COUNTED } from '@postern/contract/dashboard';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useBlocker, useLocation, useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { api } from '../api/client.ts';
import { reviewCountQuery } from '../api/outcome-queries.ts';
import { healthQuery } from '../api/queries.ts';
import { onServiceChange, serviceAnswers } from '../api/service-state.ts';
import { useSession } from '../api/use-session.ts';
import { Choice, iconLabel } from '../components/choice.tsx';
import { shortCount } from '../components/format.ts';
import { Notice } from '../components/notice.tsx';
import { showToast } from '../components/toasts.tsx';
import { Menu as MenuIcon, Monitor, Moon, Search, Sun, X } from '../icons.ts';
import type { TryDrawer } from '../pages/playground/try-drawer.tsx';
import { AccountMenu } from './account-menu.tsx';
import { CampaignCount } from './campaign-banner.tsx';
import { JumpMenu } from './jump-menu.tsx';
import type { LazyPage } from './lazy-page.tsx';
import { Logo } from './logo.tsx';
import { PROJECT_PLACES, WORKSPACE } from './navigation.ts';
import { PlaceTabs, useOpenPlace } from './place-tabs.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { applyTheme, onTheme, readTheme, type Theme } from './theme.ts';
import { TryAddress } from './try-address.ts';

export function AppShell() {
  useKeepPage();
  const [jumping, setJumping] = useState(false);
  const [menuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();
  const { projectId } = useParams({ strict: false });
  const [Trying, setTrying] = useState<typeof TryDrawer>();
  const tryAddress = () =>
    void import('../pages/playground/try-drawer.tsx').then(
      (loaded) => setTrying(() => loaded.TryDrawer),
      sayNotLoaded,
    );
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    setMenuOpen(false);
    setTrying(undefined);
    // As with a page load: screen readers announce the new page, and Tab continues inside it.
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [pathname]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      const isSlash = event.key === '/' && !typing && !event.metaKey && !event.ctrlKey;
      if (isSlash || ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k')) {
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
          <Search size={18} />
        </IconButton>
        <IconButton
          label={menuOpen ? 'Close the menu' : 'Open the menu'}
          onClick={() => setMenuOpen(!menuOpen)}
          expanded={menuOpen}
        >
          {menuOpen ? <X size={18} /> : <MenuIcon size={18} />}
        </IconButton>
      </header>
      <Sidebar open={menuOpen} onJump={() => setJumping(true)} />
      <div className="min-w-0 px-4 py-4 sm:px-6 lg:px-9 lg:py-6">
        <div className="mx-auto max-w-7xl">
          <TryAddress value={tryAddress}>
            <PlaceTabs />
            <main id="content" tabIndex={-1} className="outline-none">
              <ServiceDown />
              <Outlet />
            </main>
          </TryAddress>
        </div>
      </div>
      <SignInAgain />
      {jumping && <JumpMenu onTry={tryAddress} onClose={() => setJumping(false)} />}
      {Trying !== undefined && projectId !== undefined && <Trying onClose={() => setTrying(undefined)} />}
    </div>
  );
}

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

interface IconButtonProps {
  label: string;
  onClick: () => void;
  expanded?: boolean;
  children: ReactNode;
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
      <div className="hidden px-3 pb-1.5 lg:flex">
        <button
          type="button"
          onClick={onJump}
          className="hidden min-h-8.5 flex-1 items-center justify-between rounded-lg border border-line bg-sunken px-2.5 text-[0.8667rem] text-soft hover:border-line-strong lg:flex"
        >
          Find or jump… <kbd className="font-sans text-[0.8rem] whitespace-nowrap text-faint">{SHORTCUT}</kbd>
        </button>
      </div>
      <div className="grid gap-1.5 overflow-y-auto px-3 py-1 lg:flex-1 lg:content-start">
        <Places projectId={projectId} />
      </div>
      <div className="grid gap-1.5 border-t border-line px-3 py-2">
        <ThemeSwitch />
        <AccountMenu name={user.name} email={user.email} role={user.role} />
      </div>
    </aside>
  );
}

const ITEM =
  'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-[0.9rem] text-soft hover:bg-hover hover:text-ink';
const ACTIVE = { className: 'bg-accent-soft font-medium !text-accent-deep', 'aria-current': 'page' } as const;

/** A project’s places, and the workspace’s. The account has the menu below. */
function Places({ projectId }: { projectId: string | undefined }) {
  const { data: health } = useQuery(healthQuery);
  const open = useOpenPlace();
  const degraded = health !== undefined && health.status !== 'ready';
  const look = (name: string) =>
    open?.place.name === name ? { ...ACTIVE, className: `${ITEM} ${ACTIVE.className}` } : { className: ITEM };
  return (
    <nav aria-label="Places" className="grid gap-px">
      {projectId !== undefined &&
        PROJECT_PLACES.map(({ name, icon: Icon, tabs: [{ to }] }) => (
          <Link key={name} to={to} params={{ projectId }} {...look(name)}>
            <Icon size={16} />
            {name}
            {name === 'Review' && <ReviewCount projectId={projectId} />}
            {name === 'Today' && <CampaignCount projectId={projectId} />}
          </Link>
        ))}
      <Link to={WORKSPACE.tabs[0].to} {...look(WORKSPACE.name)}>
        <WORKSPACE.icon size={16} />
        {WORKSPACE.name}
        {degraded && (
          <span className="ml-auto flex items-center gap-1.5 text-[0.8rem] text-flag">
            <span className="size-2 rounded-full bg-flag-fill" aria-hidden="true" />
            {health.status}
          </span>
        )}
      </Link>
    </nav>
  );
}

/** How many sign-ups wait for a decision; nothing when none do. */
function ReviewCount({ projectId }: { projectId: string }) {
  const { data = 0 } = useQuery(reviewCountQuery(projectId));
  if (data === 0) return null;
  return (
    <span className="num ml-auto rounded-md bg-flag-soft px-1.5 text-[0.8rem] text-flag">
      {shortCount(data)}
      {data >= REVIEW_MAX_COUNTED && <span aria-hidden="true">+</span>}
      <span className="sr-only">{data >= REVIEW_MAX_COUNTED ? ' or more waiting' : ' waiting'}</span>
    </span>
  );
}

const THEMES: Readonly<Record<Theme, ReactNode>> = {
  system: iconLabel(Monitor, 'As the system'),
  light: iconLabel(Sun, 'Light'),
  dark: iconLabel(Moon, 'Dark'),
};

function ThemeSwitch() {
  const theme = useSyncExternalStore(onTheme, readTheme);
  return <Choice label="Colours" hideLabel value={theme} options={THEMES} onChange={applyTheme} />;
}

const RETRY_MS = 2_000;

/** Says that the service does not answer, asks again until it does, and then reads the page’s numbers again. */
function ServiceDown() {
  const answers = useSyncExternalStore(onServiceChange, serviceAnswers);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (answers) return;
    const timer = setInterval(() => void api('GET /setup').catch(() => undefined), RETRY_MS);
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries();
    };
  }, [answers, queryClient]);
  if (answers) return null;
  return (
    <div className="sticky top-14 z-10 mb-5 rounded-lg bg-surface lg:top-2">
      <Notice kind="bad">
        The service does not answer. Nothing on this page is lost. It continues automatically as soon as the
        service is back.
      </Notice>
    </div>
  );
}

const sayNotLoaded = () =>
  showToast(
    'That page could not be loaded: the service does not answer, or it was updated. Nothing is lost. Try again, or save your work and reload.',
    true,
  );

/** Stays on the current page, and keeps unsaved input, if the file of the next page cannot be loaded. */
function useKeepPage(): void {
  const router = useRouter();
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: async ({ next }) => {
      const route: unknown = Reflect.get(router.routesById, next.routeId);
      const component = (route as { options?: { component?: Partial<LazyPage> } } | undefined)?.options
        ?.component;
      try {
        await component?.preload?.();
        return false;
      } catch {
        sayNotLoaded();
        return true;
      }
    },
  });
}

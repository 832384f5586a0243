/** To the sign-in by a real page load: nothing of the last person stays in the page’s memory. */
export function leave(): void {
  window.location.assign('/dashboard/sign-in');
}

/** The same for a session that ended in the middle of the work; the sign-in then leads back to this page. */
export function leaveForNow(): void {
  const { pathname, search } = window.location;
  if (pathname === '/dashboard/sign-in') return;
  const next = `${pathname.replace(/^\/dashboard/, '')}${search}`;
  window.location.assign(`/dashboard/sign-in?ended=1&next=${encodeURIComponent(next)}`);
}

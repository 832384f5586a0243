/** Opens the sign-in with a real page load, so that nothing of the last person stays in memory. */
export function leave(): void {
  window.location.assign('/dashboard/sign-in');
}

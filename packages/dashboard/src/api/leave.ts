/** Opens the sign-in page with a full page load, so that no data of the last person stays in memory. */
export function leave(): void {
  window.location.assign('/dashboard/sign-in');
}

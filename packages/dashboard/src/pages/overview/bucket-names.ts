const DAY_MS = 86_400_000;
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** How a bucket is called on the axis and beside its numbers; days are UTC days, as the service counts them. */
export function bucketNames(bucketMs: number, spanMs: number) {
  const daily = bucketMs >= DAY_MS;
  return {
    full: (at: number) =>
      daily ? weekday.format(at + DAY_MS / 2) : `${weekday.format(at)}, ${hour.format(at)}`,
    short: (at: number) =>
      daily || spanMs > 2 * DAY_MS ? shortDay.format(daily ? at + DAY_MS / 2 : at) : hour.format(at),
  };
}

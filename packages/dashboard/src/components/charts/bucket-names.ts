import { DAY_MS } from '@postern/contract';

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** What a bar is called on the axis and beside its numbers, in the viewer's time zone, in which the days begin too. */
export function bucketNames(bucketMs: number, spanMs: number) {
  const daily = bucketMs >= DAY_MS;
  return {
    full: (at: number) => (daily ? weekday.format(at) : `${weekday.format(at)}, ${hour.format(at)}`),
    short: (at: number) => (daily || spanMs > 2 * DAY_MS ? shortDay.format(at) : hour.format(at)),
  };
}

import { DAY_MS } from '@postern/contract';

const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

interface Bar {
  readonly at: number;
  readonly until: number;
  readonly partial: boolean;
}

/** What a bar is called on the axis and beside its numbers, in the viewer's time zone, in which the days begin too. */
export function bucketNames(bucketMs: number, spanMs: number) {
  const daily = bucketMs >= DAY_MS;
  return {
    nameOf: ({ at, until, partial }: Bar) => {
      const day = weekday.format(at);
      if (partial) return `${day}, ${hour.format(at)}–${hour.format(until)}`;
      return daily ? day : `${day}, ${hour.format(at)}`;
    },
    shortNameOf: ({ at }: Bar) => (daily || spanMs > 2 * DAY_MS ? shortDay.format(at) : hour.format(at)),
  };
}

export const barName = (bucketMs: number) => (bucketMs >= DAY_MS ? 'day' : 'hour');

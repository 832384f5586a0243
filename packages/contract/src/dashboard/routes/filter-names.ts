import { LOG_FILTER_NAMES } from '../views.ts';

type LogFilter = Exclude<(typeof LOG_FILTER_NAMES)[number], 'last'>;
/** A saved view also has `last`, which the page turns into `from` and `to`. */
export const FILTERS = LOG_FILTER_NAMES.filter((name): name is LogFilter => name !== 'last');

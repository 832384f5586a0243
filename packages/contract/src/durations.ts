export const MINUTE_MS = 60_000;
export const HOUR_MS: number = 60 * MINUTE_MS;
export const DAY_MS: number = 24 * HOUR_MS;

/** Ten years, the longest lifetime of a key, a token or stored data. */
export const MAX_LIFETIME_DAYS = 3_650;

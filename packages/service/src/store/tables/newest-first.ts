/**
 * For the few rows of one request. If they were ordered by `id` itself, the database would read the whole log in that order
 * instead of using the index of requests.
 */
export const NEWEST_FIRST = "ORDER BY id || '' DESC";

/** The most bytes that a request’s head may have; beyond it the answer is 431. */
export const MAX_HEADER_BYTES = 16 * 1024;

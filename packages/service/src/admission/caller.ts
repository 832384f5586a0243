/** What a request’s headers say about its sender, as plain strings: the gates know no HTTP types. */
export interface Caller {
  readonly authorization: string | undefined;
  readonly projectId: string | undefined;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly userAgent: string | undefined;
}

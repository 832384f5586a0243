/** What a request says about its sender, without HTTP types. */
export interface Caller {
  readonly authorization: string | undefined;
  readonly projectId: string | undefined;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly userAgent: string | undefined;
}

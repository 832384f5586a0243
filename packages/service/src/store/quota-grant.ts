/** Validations to take from a project’s month without a request. */
export interface QuotaRequest {
  readonly projectId: string;
  /** `YYYY-MM` in UTC. */
  readonly month: string;
  readonly wanted: number;
  readonly limit: number;
}

export interface QuotaGrant {
  readonly granted: number;
  /** Of the whole month, with these. */
  readonly used: number;
}

/** New inboxes within an hour, far above what is usual. */
export interface Burst {
  readonly count: number;
  /** What an ordinary hour brings. */
  readonly usual: number;
}

/** A domain whose people turned out bad, by the project’s own outcomes. */
export interface BadDomain {
  /** People with an outcome: the bad ones, and all. */
  readonly bad: number;
  readonly people: number;
  /** The lower end of the 95% interval of the share of bad people. Older ones count less. */
  readonly low: number;
}

/**
 * What the project saw shortly before this request, counting only requests that this process handled. Blocked requests
 * and those of test keys are left out.
 */
export interface RecentActivity {
  /** Many new inboxes from the request’s network. `undefined`: no burst. */
  readonly networkBurst: () => Burst | undefined;
  /** Many new inboxes of the address’s shape at its domain. `undefined`: no burst. */
  readonly patternBurst: () => (Burst & { readonly shape: string }) | undefined;
  /**
   * How many names under the registrable domain were first seen within a day, the address’s own included. 0 when its
   * name is not new, or when it is the registrable domain itself.
   */
  readonly newNames: () => number;
  /** What the project’s outcomes say about the address’s domain. `undefined`: nothing bad. */
  readonly badDomain: () => BadDomain | undefined;
  /** Whether the project, which has counted for long enough, first saw the address’s domain within a week. */
  readonly newDomain: () => boolean;
  /**
   * Other inboxes that this device and network tried within half an hour and whose names begin as this one does, with the
   * same digits: probably one person who mistyped.
   */
  readonly mistyped: (inboxHash: string) => number;
}

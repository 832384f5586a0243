/** One validation’s part in a project’s memory. */
export interface Sighting {
  readonly projectId: string;
  readonly inbox: string;
  readonly spelling: string;
  readonly device: string | null;
  readonly network: string | null;
  readonly threshold: number;
  readonly commonNetworks: number;
  /** See `LogRecord`: they say whether the answer is `block`. */
  readonly outcomes: string;
  readonly now: number;
  /** What was last seen before this is forgotten. */
  readonly cutoff: number;
  /** `false` for a test key: history is read, nothing is added. */
  readonly keep: boolean;
}

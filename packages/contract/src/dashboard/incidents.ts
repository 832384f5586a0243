/** Surges that followed each other, as one thing to look at. */
export interface IncidentView {
  id: string;
  /** When its first and its last surge were found. */
  firstAt: number;
  lastAt: number;
  /** The time of its sign-ups, for the log and the review queue. */
  from: number;
  to: number;
  /**
   * `open`: it goes on and nobody has acknowledged it; `paused`: no surge for two hours, and nobody has acknowledged it;
   * `closed`: by a member, or no surge for a day.
   */
  state: 'open' | 'paused' | 'acknowledged' | 'closed';
  acknowledgedAt: number | null;
  closedAt: number | null;
  /** The `surge.detected` events, oldest first. */
  surges: { id: string; at: number; data: Record<string, unknown> }[];
  /** Domains and networks of the surges, culprits first. */
  sources: IncidentSource[];
}
export interface IncidentSource {
  kind: 'domain' | 'network';
  name: string;
  /** The most sign-ups that one surge had from it. */
  count: number;
  /** Many unrelated people share the domain. */
  mailProvider: boolean;
  /** It surged itself, or brought at least 30% of a surge. Others were only there at the time. */
  culprit: boolean;
  /** All its sign-ups of the incident were blocked. */
  blocked: boolean;
}
export interface IncidentsView {
  rows: IncidentView[];
  next: number | null;
}

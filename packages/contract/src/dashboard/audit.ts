export interface AuditView {
  rows: AuditEntry[];
  next: number | null;
}
export interface AuditEntry {
  at: number;
  /** A member's ID, `cli` or `service`. */
  actor: string;
  actorName: string | null;
  action: string;
  projectId: string | null;
  /** The member that the entry is about, where there is one and they are still a member. */
  memberName: string | null;
  detail: Record<string, unknown>;
}

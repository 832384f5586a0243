/** GET /audit?project=&before=&limit= */
export interface AuditView {
  rows: {
    at: number;
    actor: string;
    actorName: string | null;
    action: string;
    projectId: string | null;
    detail: Record<string, unknown>;
  }[];
  next: number | null;
}

/** What a member did about a person, a device, a domain or a network. */
export type TimelineKind = 'note' | 'allow_list' | 'block_list' | 'unlisted' | 'good' | 'bad' | 'unknown';

/** Characters of a note. */
export const MAX_NOTE = 2_000;
/** Entries that are kept of one subject; the oldest go first. */
export const MAX_TIMELINE = 500;

/** Who decided what about a subject, when and why. */
export interface TimelineView {
  /** `person:<hash>`, `device:<hash>`, a domain, a range of addresses or `AS<number>`. */
  subject: string;
  /** Newest first, at most `MAX_TIMELINE`. */
  entries: TimelineEntryView[];
}
export interface TimelineEntryView {
  /** `null` for what your backend reported. */
  id: string | null;
  at: number;
  /** A member’s ID, `cli`, `service` or `backend`. */
  actor: string;
  actorName: string | null;
  /** `accepted`: the backend said that the person signed up. */
  kind: TimelineKind | 'accepted';
  /** The note, or the reason that was given; may be empty. */
  text: string;
}

/** Who did something. Members who were removed have no name any more. */
export function actorName(actor: string, memberName: string | null): string {
  if (memberName !== null) return memberName;
  if (actor === 'cli') return 'Command line';
  if (actor === 'service') return 'The service';
  return actor.startsWith('usr_') ? 'A former member' : actor;
}

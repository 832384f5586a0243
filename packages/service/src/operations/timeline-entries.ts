import type { KeyedHash } from '../model/keyed-hash.ts';
import { parseListValue } from '../model/list-value.ts';
import type { ListEntry, Project } from '../model/project.ts';
import type { Statement } from '../store/database.ts';
import type { NewTimelineEntry } from '../store/tables/timeline-table.ts';
import type { Administration } from './administration.ts';
import { inboxHashes, instanceHash } from './instance-hash.ts';
import { OWN_LISTS, type ProjectLists } from './own-list-entries.ts';

const KINDS = { allowList: 'allow_list', blockList: 'block_list' } as const;

/** Notes in the timelines of people, devices, domains and networks that they were put on a list or taken from it. */
export async function listChangeNotes(
  admin: Administration,
  before: ProjectLists,
  after: ProjectLists & Pick<Project, 'id'>,
): Promise<Statement[]> {
  const changed = OWN_LISTS.filter((list) => before[list] !== after[list]);
  if (changed.length === 0) return [];
  const keyedHash = await instanceHash(admin);
  const [at, { actor }] = [admin.now(), admin];
  const listed = new Set(changed.flatMap((list) => after[list].map(({ value }) => value)));
  const entries = changed.flatMap((list): NewTimelineEntry[] => {
    const had = new Set(before[list].map(textOf));
    const added = after[list].filter((entry) => !had.has(textOf(entry)));
    // One that moved to the other list is not off the lists.
    const removed = before[list].filter(({ value }) => !listed.has(value));
    return [
      ...added.flatMap(({ value, note = '' }) =>
        subjectsOf(value, keyedHash).map((subject) => ({
          subject,
          at,
          actor,
          kind: KINDS[list],
          body: note,
        })),
      ),
      ...removed.flatMap(({ value }) =>
        subjectsOf(value, keyedHash).map(
          (subject): NewTimelineEntry => ({ subject, at, actor, kind: 'unlisted', body: '' }),
        ),
      ),
    ];
  });
  return admin.store.timeline.addition(after.id, entries);
}

const textOf = ({ value, note = '', expiresAt }: ListEntry) => JSON.stringify([value, note, expiresAt]);

/** What has a timeline of its own. An address is its person. */
function subjectsOf(value: string, keyedHash: KeyedHash): string[] {
  const parsed = parseListValue(value);
  if (parsed === undefined || parsed.kind === 'country') return [];
  if (parsed.kind === 'address') return inboxHashes(keyedHash, value).map((hash) => `person:${hash}`);
  return [parsed.text];
}

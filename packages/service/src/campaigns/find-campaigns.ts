import type { CampaignLink, CampaignThing, CampaignView } from '@postern/contract/dashboard';
import { type KnownCampaign, linkPeople } from './link-people.ts';
import type { SeenPerson } from './seen-people.ts';
import {
  addTo,
  type Common,
  findCommon,
  inSteps,
  isAnybodys,
  THING_KINDS,
  THINGS_OF,
} from './shared-things.ts';

/** Fewer people than this are a family with one computer. */
const LEAST_PEOPLE = 6;
/** A thing is behind a campaign if this many of its people have it, and this many of those who have it belong to it. */
const LEAST_WITH_THING = 3;
const MOSTLY = 0.6;
const MOST_THINGS = 50;

/** People who belong together, the one who came first first. */
export interface FoundCampaign {
  readonly members: readonly FoundMember[];
  readonly things: readonly CampaignThing[];
  readonly spread: CampaignView['spread'];
  /** The campaigns that it goes on, the oldest first. */
  readonly known: readonly KnownCampaign[];
}

interface FoundMember {
  readonly person: SeenPerson;
  readonly because: CampaignLink;
}

/** Largest first. Yields between steps, so that requests can be answered. */
export function* findCampaigns(
  people: readonly SeenPerson[],
  known: readonly KnownCampaign[],
): Generator<void, FoundCampaign[]> {
  const common = yield* findCommon(people);
  const { sets, links, linksOf, joined } = yield* linkPeople(people, common, known);
  const groups = new Map<number, number[]>();
  yield* inSteps(linksOf.keys(), (index) => addTo(groups, sets.rootOf(index), index));
  const found: FoundCampaign[] = [];
  for (const [root, group] of groups) {
    const members = group.flatMap((index): FoundMember[] => {
      const person = people[index];
      const own = (linksOf.get(index) ?? []).flatMap((place) => links[place] ?? []);
      // That a person joined later says the least.
      const because = own.find(({ kind }) => kind !== 'campaign') ?? own[0];
      return person === undefined || because === undefined ? [] : [{ person, because }];
    });
    const goesOn = known.filter((campaign) => {
      const index = joined.get(campaign);
      return index !== undefined && sets.rootOf(index) === root;
    });
    if (members.length < LEAST_PEOPLE && goesOn.length === 0) continue;
    members.sort(
      ({ person: one }, { person: other }) =>
        one.firstSeen - other.firstSeen || (one.inbox < other.inbox ? -1 : 1),
    );
    found.push({
      members,
      things: thingsBehind(members, common, goesOn[0]),
      spread: {
        domains: countThings(members, THINGS_OF.domain).length,
        mailHosts: countThings(members, ({ mailHost }) => (mailHost === '' ? [] : [mailHost])).length,
        devices: countThings(members, THINGS_OF.device).length,
        networks: countThings(members, THINGS_OF.network).length,
      },
      known: goesOn,
    });
    yield;
  }
  return found.sort((one, other) => other.members.length - one.members.length);
}

/** What a check accused or what linked the people, unless strangers share it. It stays behind the campaign while a member has it. */
function thingsBehind(
  members: readonly FoundMember[],
  { things }: Common,
  known: KnownCampaign | undefined,
): CampaignThing[] {
  const accused = new Set(
    members.map(({ person, because }) =>
      because.kind === 'rented_domains'
        ? keyOf('domain', person.domain)
        : keyOf(
            because.kind,
            THING_KINDS.map((kind) => because[kind]).find((name) => name !== undefined) ?? '',
          ),
    ),
  );
  const before = new Set(known?.things.map(({ kind, name }) => keyOf(kind, name)));
  const behind = THING_KINDS.flatMap((kind) =>
    countThings(members, THINGS_OF[kind])
      .map(([name, people]) => ({
        ...{ kind, name, people },
        others: Math.max(0, (things[kind].get(name)?.length ?? people) - people),
      }))
      .filter(({ name, people, others }) => {
        if (kind === 'domain' && isAnybodys(name)) return false;
        if (before.has(keyOf(kind, name))) return true;
        const isAccused = accused.has(keyOf(kind, name));
        // A mail server that was not accused may serve a village of domains.
        const isMostly = people >= (kind === 'mailHost' && !isAccused ? 1 : MOSTLY) * (people + others);
        return isMostly && (people >= LEAST_WITH_THING || isAccused);
      })
      .slice(0, MOST_THINGS),
  );
  const [shape] = countThings(members, (person) => (person.shape === null ? [] : [person.shape]));
  if (shape === undefined || shape[1] < MOSTLY * members.length) return behind;
  return [...behind, { kind: 'shape' as const, name: shape[0], people: shape[1], others: 0 }];
}

const keyOf = (kind: string, name: string) => `${kind} ${name}`;

function countThings(
  members: readonly FoundMember[],
  namesOf: (person: SeenPerson) => readonly string[],
): [string, number][] {
  const counts = new Map<string, number>();
  for (const { person } of members)
    for (const name of namesOf(person)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

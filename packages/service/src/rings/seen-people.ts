import type { Recommendation } from '@postern/contract';
import type { SeenRow } from '../model/seen-row.ts';

/** One inbox with everything that was seen of it. */
export interface SeenPerson {
  readonly inbox: string;
  readonly domain: string;
  readonly shape: string | null;
  firstSeen: number;
  lastSeen: number;
  /** To the newest validation. */
  answer: Recommendation;
  times: number;
  /** At most MAX_OF_PERSON of each. */
  readonly devices: string[];
  readonly networks: string[];
}

/** Somebody who comes from everywhere is linked through some of it only. */
const MAX_OF_PERSON = 10;

export interface SeenPeople {
  /** In any order. */
  add(rows: readonly SeenRow[]): void;
  readonly all: () => SeenPerson[];
}

/** Gathers the rows of each person. */
export function gatherPeople(): SeenPeople {
  const people = new Map<string, SeenPerson>();
  return {
    add(rows) {
      for (const row of rows) {
        const person = people.get(row.inbox);
        if (person === undefined) people.set(row.inbox, newPerson(row));
        else noteAgain(person, row);
      }
    },
    all: () => [...people.values()],
  };
}

function newPerson({ at, inbox, device, network, domain, shape, recommendation }: SeenRow): SeenPerson {
  return {
    inbox,
    domain,
    shape,
    firstSeen: at,
    lastSeen: at,
    answer: recommendation,
    times: 1,
    devices: device === null ? [] : [device],
    networks: network === null ? [] : [network],
  };
}

function noteAgain(person: SeenPerson, { at, device, network, recommendation }: SeenRow): void {
  if (at > person.lastSeen) {
    person.lastSeen = at;
    person.answer = recommendation;
  }
  person.firstSeen = Math.min(person.firstSeen, at);
  person.times += 1;
  note(person.devices, device);
  note(person.networks, network);
}

function note(names: string[], name: string | null): void {
  if (name !== null && names.length < MAX_OF_PERSON && !names.includes(name)) names.push(name);
}

import { ACTIONS, type Recommendation } from '@postern/contract';
import type { CrowdThing } from '@postern/contract/rules';
import type { MailKind } from '../model/mail-facts.ts';
import { registrableDomain } from '../model/registrable-domain.ts';
import type { SeenRow } from '../model/seen-row.ts';

/** One inbox with everything that was seen of it. */
export interface SeenPerson {
  readonly inbox: string;
  /** The registrable one: names under it cost nothing. */
  readonly domain: string;
  readonly shape: string | null;
  readonly mailKind: MailKind;
  readonly mailHost: string;
  firstSeen: number;
  lastSeen: number;
  /** The mildest: a person who was allowed once got in. */
  answer: Recommendation;
  /** The checks, the rules or the policy stopped the person at least once. What a list blocks says nothing. */
  refused: boolean;
  /** From a hosting network, a VPN, a proxy or Tor. */
  hosting: boolean;
  /** At most MAX_OF_PERSON of each. */
  readonly devices: string[];
  readonly networks: string[];
  readonly accused: CrowdThing[];
}

/** A person who comes from everywhere is linked through some of it only. */
const MAX_OF_PERSON = 10;
const RENTED: ReadonlySet<string> = new Set(['hosting', 'vpn', 'proxy', 'tor']);

export interface SeenPeople {
  /** In any order. */
  add(rows: readonly SeenRow[]): void;
  readonly all: () => SeenPerson[];
}

/** Gathers the rows of each person. What the project’s own allow list let in is not looked at. */
export function gatherPeople(): SeenPeople {
  const people = new Map<string, SeenPerson>();
  return {
    add(rows) {
      for (const row of rows) {
        if (row.listed === 'allow') continue;
        const person = people.get(row.inbox) ?? newPerson(row);
        people.set(row.inbox, person);
        note(person, row);
      }
    },
    all: () => [...people.values()],
  };
}

function newPerson({ at, inbox, domain, shape, recommendation, facts }: SeenRow): SeenPerson {
  return {
    inbox,
    domain: facts.mailKind === 'provider' ? domain : (registrableDomain(domain) ?? domain),
    shape,
    mailKind: facts.mailKind ?? 'unknown',
    mailHost: facts.mailHost ?? '',
    firstSeen: at,
    lastSeen: at,
    answer: recommendation,
    refused: false,
    hosting: false,
    devices: [],
    networks: [],
    accused: [],
  };
}

function note(person: SeenPerson, row: SeenRow): void {
  person.lastSeen = Math.max(person.lastSeen, row.at);
  person.firstSeen = Math.min(person.firstSeen, row.at);
  if (ACTIONS.indexOf(row.recommendation) < ACTIONS.indexOf(person.answer))
    person.answer = row.recommendation;
  person.refused ||= row.recommendation !== 'allow' && row.listed === null;
  person.hosting ||= RENTED.has(row.facts.ipKind ?? '');
  add(person.devices, row.device);
  add(person.networks, row.network);
  for (const thing of row.accused) add(person.accused, thing);
}

function add<T>(names: T[], name: T | null): void {
  if (name !== null && names.length < MAX_OF_PERSON && !names.includes(name)) names.push(name);
}

import { expect, it } from 'vitest';
import { type CrowdRow, crowdConfirmed, joinCrowd, readPerson } from './crowd.ts';

type Person = CrowdRow['people'][number];
const CONFIRMED = 4;
const person = (minute: number, name: string, marks = 0): Person => [minute, name, '', '', '', 0, 0, marks];

function joined(people: readonly Person[]): CrowdRow {
  let row: CrowdRow | undefined;
  for (const each of people) row = joinCrowd(row, 'dsome', each, 0);
  if (row === undefined) throw new Error('Nobody joined');
  return row;
}

const confirmedIn = ({ people }: CrowdRow) => people.map(readPerson).filter(({ confirmed }) => confirmed);

it('a flood of claims makes a crowd forget nobody whom a backend confirmed, and keeps out nobody', () => {
  const backend = Array.from({ length: 12 }, (_, index) => person(index, `b${index}`, CONFIRMED));
  const claims = Array.from({ length: 500 }, (_, index) => person(100 + index, `c${index}`));
  const row = joined([...backend, ...claims, person(599, 'late', CONFIRMED)]);
  expect(confirmedIn(row).map(({ inbox }) => inbox)).toEqual([...backend.map(([, inbox]) => inbox), 'late']);
  expect(row.people).toHaveLength(212);
});

it('remembers the newest 200, and of those whom a backend confirmed the newest 200', () => {
  const row = joined(Array.from({ length: 450 }, (_, index) => person(index, `b${index}`, CONFIRMED)));
  expect([row.people.length, row.people[0]?.[1]]).toEqual([200, 'b250']);
});

it('a backend’s own request confirms somebody who was only claimed', () => {
  const row = joined([person(1, 'claimed-'), person(2, 'another-')]);
  expect(confirmedIn(crowdConfirmed(row, 'claimed-and-more')).map(({ inbox }) => inbox)).toEqual([
    'claimed-',
  ]);
  expect(crowdConfirmed(row, 'unknown-')).toBe(row);
});

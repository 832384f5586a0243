import type { LinkedKind, LinkedThing } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../components/badge.tsx';
import { SelectAll, SelectBox, toggled } from '../../components/check-box.tsx';
import { countryName } from '../../components/country-name.ts';
import { count } from '../../components/format.ts';
import { AgoCell, Cell, Table, WIDE_CELL } from '../../components/table.tsx';
import { hasPage, ThingLink } from '../../components/thing-link.tsx';
import type { TimeRange } from '../../components/time-range.ts';
import { KINDS } from './read-things.ts';

interface LinkedTableProps {
  projectId: string;
  kind: LinkedKind;
  rows: readonly LinkedThing[];
  range?: TimeRange;
  /** With check boxes. */
  selection?: { readonly names: ReadonlySet<string>; readonly onSelect: (names: readonly string[]) => void };
}

/** Things with the people who came with them, and how many of these are known to be good or bad. */
export function LinkedTable({ projectId, kind, rows, range = {}, selection }: LinkedTableProps) {
  const { one } = KINDS[kind];
  const names = rows.map(({ name }) => name);
  const box = selection && (
    <SelectAll key="box" names={names} selected={selection.names} onSelect={selection.onSelect} />
  );
  const people = kind !== 'person';
  return (
    <Table
      label={KINDS[kind].many}
      head={[
        ...(box === undefined ? [] : [box]),
        one,
        ...(people ? ['People', 'Known bad', 'Known good'] : ['Known']),
        'Sign-ups',
        'Blocked',
        'Last',
      ]}
      flows
    >
      {rows.map((row) => (
        <tr key={row.name}>
          {selection !== undefined && (
            <Cell className="w-8">
              <SelectBox
                label={`Select ${row.title}`}
                checked={selection.names.has(row.name)}
                onChange={(on) => selection.onSelect(toggled(selection.names, row.name, on))}
              />
            </Cell>
          )}
          <Cell className={`wrap-anywhere ${people ? 'max-md:basis-52' : ''}`}>
            <ThingName projectId={projectId} kind={kind} row={row} range={range} />
          </Cell>
          {people ? (
            <>
              <Cell className="num">
                {count(row.people)}
                <NarrowUnit>people</NarrowUnit>
              </Cell>
              <Cell className={`num ${row.bad > 0 ? 'text-block' : 'text-faint'}`}>
                {count(row.bad)}
                <NarrowUnit>bad</NarrowUnit>
              </Cell>
              <Cell className={`num ${row.good > 0 ? 'text-allow' : 'text-faint'}`}>
                {count(row.good)}
                <NarrowUnit>good</NarrowUnit>
              </Cell>
            </>
          ) : (
            <Cell>
              {row.bad + row.good > 0 && (
                <Badge tone={row.bad > 0 ? 'flag' : 'allow'}>{row.bad > 0 ? 'bad' : 'good'}</Badge>
              )}
            </Cell>
          )}
          <Cell className={`num ${WIDE_CELL}`}>{count(row.validations)}</Cell>
          <Cell className={`num ${WIDE_CELL}`}>{count(row.blocked)}</Cell>
          <AgoCell at={row.lastAt} narrow />
        </tr>
      ))}
    </Table>
  );
}

/** Says what a number counts where the head is not shown. */
function NarrowUnit({ children }: { children: string }) {
  return <span className="md:hidden"> {children}</span>;
}

interface ThingNameProps {
  projectId: string;
  kind: LinkedKind;
  row: LinkedThing;
  range: TimeRange;
}

function ThingName({ projectId, kind, row: { name, title }, range }: ThingNameProps) {
  if (kind === 'country')
    return (
      <Link
        to="/projects/$projectId/validations"
        params={{ projectId }}
        search={{ country: name }}
        className="link"
      >
        {countryName(name)}
      </Link>
    );
  if (kind === 'domain' && !hasPage(name)) return title;
  return (
    <ThingLink projectId={projectId} of={{ [kind]: name }} range={range} className="link">
      {title}
    </ThingLink>
  );
}

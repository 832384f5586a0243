import type { ValidationRow } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { RecommendationBadge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { ActionsHead, Cell, Table } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';
import type { TimeRange } from '../../components/time-range.ts';
import type { Filters } from './filters.ts';
import { RowActions } from './row-actions.tsx';
import { WhyText } from './why.tsx';

interface RecentValidationsProps {
  projectId: string;
  rows: readonly ValidationRow[];
  /** Whether the log has more of them. */
  more: boolean;
  /** What the log is filtered by when a row is opened there. */
  search: Filters;
  range: TimeRange;
}

/** The newest validations of a person, a domain or a network. Each opens its explanation in the log; closing that leads back. */
export function RecentValidations({ projectId, rows, more, search, range }: RecentValidationsProps) {
  return (
    <Section
      title="Validations"
      flush
      actions={
        <Link to="/projects/$projectId/validations" params={{ projectId }} search={search} className="link">
          {more ? 'Show all in the log' : 'Show in the log'}
        </Link>
      }
    >
      {rows.length === 0 ? (
        <p className="px-5 pb-5 text-soft">The log has no validations of this time.</p>
      ) : (
        <Table
          label="Validations"
          head={['Address', 'Answer', 'Why', 'When', <ActionsHead key="actions" />]}
          flows
        >
          {rows.map((row) => (
            <tr key={row.id}>
              <Cell className="wrap-anywhere">
                <Link
                  to="/projects/$projectId/validations"
                  params={{ projectId }}
                  search={{ ...search, open: row.id }}
                  state={{ openedHere: true }}
                  className="font-medium hover:text-accent hover:underline"
                >
                  {row.maskedAddress}
                </Link>
              </Cell>
              <Cell>
                <RecommendationBadge value={row.recommendation} />
              </Cell>
              <Cell className="text-soft">
                <WhyText row={row} />
              </Cell>
              <Cell className="text-soft">
                <Ago at={row.at} narrow />
              </Cell>
              <Cell className="text-right">
                <RowActions projectId={projectId} row={row} range={range} />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

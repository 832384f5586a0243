import type { NetworkView } from '@postern/contract/dashboard';
import { count } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { NetworkLink } from '../../components/place-links.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';
import type { TimeRange } from '../../components/time-range.ts';

interface NetworkRangesProps {
  projectId: string;
  view: NetworkView;
  range: TimeRange;
}

/** An operator’s ranges. Each links to the page where it alone can be allowed or blocked. */
export function NetworkRanges({ projectId, view, range }: NetworkRangesProps) {
  if (view.network !== null || view.ranges.length === 0) return null;
  return (
    <Section
      title="Ranges of addresses"
      lead="Among the newest validations. Open one to allow or block it alone."
      flush
    >
      <Table label="Ranges of addresses" head={['Range', 'Validations', 'Blocked', 'Last']}>
        {view.ranges.map(({ network, count: validations, blocked, lastAt }) => (
          <tr key={network}>
            <Cell>
              <NetworkLink
                projectId={projectId}
                of={{ network }}
                range={range}
                className="link font-mono text-[0.8667rem]"
              >
                {network}
              </NetworkLink>
            </Cell>
            <Cell className="num">{count(validations)}</Cell>
            <Cell className="num">{count(blocked)}</Cell>
            <Cell className="text-soft">
              <Ago at={lastAt} narrow />
            </Cell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

import { type ComponentType, lazy, Suspense } from 'react';
import { Section } from '../../components/page.tsx';
import type { OverviewPartProps } from './overview-part.ts';

const load = () => import('./world-map.tsx');
// Without the map, the list of countries still has all numbers, so a file that cannot be loaded is no trouble.
const absent = (): { WorldMap: ComponentType<OverviewPartProps> } => ({ WorldMap: () => null });
const WorldMap = lazy(async () => ({ default: (await load().catch(absent)).WorldMap }));

/** The map is loaded after the page, because it is large and further down. */
export function LazyMap(props: OverviewPartProps) {
  if (props.data.countries.length === 0) return null;
  return (
    <Section title="Map" lead="Where people sign up from, by client IP address. A stronger colour is more.">
      <div className="mx-auto aspect-[1000/435] w-full max-w-3xl">
        <Suspense>
          <WorldMap {...props} />
        </Suspense>
      </div>
    </Section>
  );
}

import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { lazyPart } from '../../components/lazy-part.tsx';
import type { OverviewPartProps } from './overview-part.ts';

const WorldMap = lazyPart(async () => (await import('./world-map.tsx')).WorldMap);

/** The map is loaded when somebody asks for it, because it is large. The list of countries has all its numbers. */
export function LazyMap(props: OverviewPartProps) {
  const [missing, setMissing] = useState(false);
  return (
    <div className="mx-auto aspect-[1000/435] w-full max-w-3xl">
      {missing ? (
        <p className="flex items-center gap-3 text-soft">
          The map could not be loaded.
          <Button onClick={() => setMissing(false)}>Try again</Button>
        </p>
      ) : (
        <WorldMap {...props} onMissing={() => setMissing(true)} />
      )}
    </div>
  );
}

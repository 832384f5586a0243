import type { Overview } from '@postern/contract/dashboard';
import { useNavigate } from '@tanstack/react-router';
import { type PointerEvent, useRef, useState } from 'react';
import { countryName } from '../../components/country-name.ts';
import { count } from '../../components/format.ts';
import type { OverviewPartProps } from './overview-part.ts';
import { WORLD_SHAPES, WORLD_SIZE } from './world-shapes.ts';

type Country = Overview['countries'][number];

interface Pointed {
  readonly code: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Countries by how many validations came from there. The list below has the same numbers as text. */
export function WorldMap({ projectId, data }: OverviewPartProps) {
  const [pointed, setPointed] = useState<Pointed | undefined>();
  const navigate = useNavigate();
  const byCode = new Map(data.countries.map((country) => [country.country, country]));
  const most = Math.max(1, ...data.countries.map((country) => country.count));
  const country = pointed === undefined ? undefined : byCode.get(pointed.code);

  const point = (event: PointerEvent<HTMLDivElement>) => {
    const code = event.target instanceof SVGElement ? event.target.dataset.country : undefined;
    const box = event.currentTarget.getBoundingClientRect();
    return code === undefined
      ? undefined
      : { code, x: event.clientX - box.left, y: event.clientY - box.top, width: box.width };
  };
  // On a touch screen, the first tap shows the numbers and a second tap on the same country opens the log.
  const firstTap = useRef(false);
  const onDown = (event: PointerEvent<HTMLDivElement>) => {
    const at = point(event);
    firstTap.current = event.pointerType === 'touch' && at?.code !== pointed?.code;
    setPointed(at);
  };
  const onClick = () => {
    if (country === undefined || firstTap.current) return;
    void navigate({
      to: '/projects/$projectId/validations',
      params: { projectId },
      search: { country: country.country, mode: 'live', from: data.from, to: data.to },
    });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list of countries has the same links.
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut, not the only way.
    <div
      className="relative touch-pan-y"
      onPointerDown={onDown}
      onPointerMove={(event) => setPointed(point(event))}
      onPointerLeave={(event) => event.pointerType !== 'touch' && setPointed(undefined)}
      onClick={onClick}
    >
      <svg
        role="img"
        aria-label={`A map of ${byCode.size} countries by the number of validations. The list of countries has the numbers.`}
        viewBox={`0 0 ${WORLD_SIZE.width} ${WORLD_SIZE.height}`}
        className="block w-full"
      >
        {Object.entries(WORLD_SHAPES).map(([code, path]) => (
          <path
            key={code}
            d={path}
            data-country={code}
            fill={byCode.has(code) ? 'var(--color-accent)' : 'var(--color-hover)'}
            fillOpacity={byCode.has(code) ? shade(byCode.get(code)?.count ?? 0, most) : 1}
            stroke={pointed?.code === code ? 'var(--color-ink)' : 'var(--color-surface)'}
            strokeWidth={0.8}
            className={byCode.has(code) ? 'cursor-pointer' : undefined}
          />
        ))}
      </svg>
      {pointed !== undefined && <Numbers pointed={pointed} country={country} />}
    </div>
  );
}

/** Few countries bring most people, so the shades follow the order of magnitude. */
export function shade(value: number, most: number): number {
  return 0.25 + 0.75 * (Math.log1p(value) / Math.log1p(most));
}

const BOX = 176;
const GAP = 14;

/** Beside the pointer, never over the edge. */
function Numbers({ pointed, country }: { pointed: Pointed; country: Country | undefined }) {
  const fitsRight = pointed.x + GAP + BOX <= pointed.width;
  const left = fitsRight ? pointed.x + GAP : Math.max(0, pointed.x - GAP - BOX);
  return (
    <div
      className="pointer-events-none absolute rounded-lg border border-line bg-surface px-3 py-2 text-[0.8333rem] shadow-pop"
      style={{ left, top: Math.max(0, pointed.y - 20), width: BOX }}
    >
      <div className="font-medium">{countryName(pointed.code)}</div>
      <div className="num text-soft">
        {country === undefined
          ? 'no validations'
          : `${count(country.count)} validations, ${count(country.blocked)} blocked`}
      </div>
    </div>
  );
}

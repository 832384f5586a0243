import { clsx } from 'clsx';
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { count, shortCount } from '../format.ts';

export interface Layer<Row> {
  readonly name: string;
  readonly fill: string;
  readonly value: (row: Row) => number;
}

/** What every row has: `partial` is drawn pale. */
export interface BarRow {
  readonly partial: boolean;
}

export interface StackedBarsProps<Row extends BarRow> {
  /** What the chart shows, in one sentence for screen readers. */
  label: string;
  rows: readonly Row[];
  /** From the bottom up. */
  layers: readonly Layer<Row>[];
  nameOf: (row: Row) => string;
  shortNameOf: (row: Row) => string;
  height?: number;
  /** Lines above the bars, from one of the rows to another. */
  spans?: readonly { readonly key: string; readonly name: string; first: number; last: number }[];
  /** Called when a bar is clicked. With the keyboard, the log's time filter does the same. */
  onPick?: (row: Row) => void;
}

const LEFT = 42;
const BOTTOM = 22;
const TOP = 8;

export function StackedBars<Row extends BarRow>(props: StackedBarsProps<Row>) {
  const { label, rows, layers, height = 230, spans = [] } = props;
  const [frame, width] = useWidth(720);
  const [hovered, setHovered] = useState<number | undefined>();
  const total = (row: Row) => layers.reduce((sum, layer) => sum + layer.value(row), 0);
  const ticks = axisTicks(Math.max(0, ...rows.map(total)));
  const top = ticks.at(-1) ?? 1;
  const inner = Math.max(width - LEFT, 40);
  const slot = inner / Math.max(rows.length, 1);
  const y = (value: number) => TOP + (height - TOP - BOTTOM) * (1 - value / top);

  const barAt = (event: PointerEvent<HTMLDivElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    const index = Math.floor(x / slot);
    return index >= 0 && index < rows.length ? index : undefined;
  };
  const row = hovered === undefined ? undefined : rows[hovered];
  // On a touch screen, the first tap shows the numbers and a second tap on the same bar opens it.
  const firstTap = useRef(false);
  const onDown = (event: PointerEvent<HTMLDivElement>) => {
    const index = barAt(event);
    firstTap.current = event.pointerType === 'touch' && index !== hovered;
    setHovered(index);
  };
  const onClick = () => {
    if (row !== undefined && !firstTap.current) props.onPick?.(row);
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the log’s time filter does the same with the keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut, not the only way.
    <div
      ref={frame}
      className={clsx(
        'relative min-w-0 touch-pan-y',
        props.onPick !== undefined && row !== undefined && 'cursor-pointer',
      )}
      onPointerDown={onDown}
      onPointerMove={(event) => setHovered(barAt(event))}
      onPointerLeave={(event) => event.pointerType !== 'touch' && setHovered(undefined)}
      onClick={onClick}
    >
      <svg role="img" aria-label={label} width={width} height={height} className="block max-w-full">
        <Axis ticks={ticks} y={y} width={width} />
        {hovered !== undefined && (
          <rect
            x={LEFT + hovered * slot}
            y={TOP}
            width={slot}
            height={height - TOP - BOTTOM}
            fill="var(--color-hover)"
          />
        )}
        {rows.map((each, index) => (
          <Bar
            // biome-ignore lint/suspicious/noArrayIndexKey: bars do not move, and an hour occurs twice when clocks go back.
            key={index}
            row={each}
            layers={layers}
            x={LEFT + index * slot}
            slot={slot}
            y={y}
          />
        ))}
        {spans.map(({ key, name, first, last }) => (
          <line
            key={key}
            x1={LEFT + first * slot + 2}
            x2={LEFT + (last + 1) * slot - 2}
            y1={TOP / 2}
            y2={TOP / 2}
            stroke="var(--color-block-fill)"
            strokeWidth="3"
          >
            <title>{name}</title>
          </line>
        ))}
        <Names {...props} slot={slot} inner={inner} height={height} />
      </svg>
      {row !== undefined && hovered !== undefined && (
        <Numbers
          title={props.nameOf(row)}
          row={row}
          layers={layers}
          left={LEFT + hovered * slot}
          right={LEFT + (hovered + 1) * slot}
          width={width}
        />
      )}
    </div>
  );
}

function Axis({
  ticks,
  y,
  width,
}: {
  ticks: readonly number[];
  y: (value: number) => number;
  width: number;
}) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line
        x1={LEFT}
        x2={width}
        y1={y(tick)}
        y2={y(tick)}
        stroke="var(--color-line)"
        strokeDasharray={tick === 0 ? undefined : '2 4'}
      />
      <text
        x={LEFT - 8}
        y={y(tick) + 4}
        textAnchor="end"
        fontSize="11.5"
        fill="var(--color-faint)"
        className="num"
      >
        {shortCount(tick)}
      </text>
    </g>
  ));
}

interface BarProps<Row extends BarRow> {
  row: Row;
  layers: readonly Layer<Row>[];
  x: number;
  slot: number;
  y: (value: number) => number;
}

function Bar<Row extends BarRow>({ row, layers, x, slot, y }: BarProps<Row>) {
  const gap = Math.min(slot * 0.28, 8);
  let below = 0;
  return layers.map((layer) => {
    const value = layer.value(row);
    const bottom = y(below);
    below += value;
    const height = bottom - y(below);
    if (value === 0) return null;
    return (
      <rect
        key={layer.name}
        x={x + gap / 2}
        y={y(below)}
        width={Math.max(slot - gap, 1)}
        height={Math.max(height, 1)}
        rx={Math.min(2, slot / 6)}
        fill={layer.fill}
        fillOpacity={row.partial ? 0.55 : 1}
      />
    );
  });
}

interface NamesProps<Row extends BarRow> extends StackedBarsProps<Row> {
  slot: number;
  inner: number;
}

function Names<Row extends BarRow>({ rows, shortNameOf, slot, inner, height = 230 }: NamesProps<Row>) {
  const every = labelEvery(rows.length, inner, 58);
  return rows.map((row, index) => {
    const x = LEFT + (index + 0.5) * slot;
    // A label at the very edge would be cut off.
    if (index % every !== 0 || x + 24 > LEFT + inner) return null;
    return (
      <text
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        key={index}
        x={x}
        y={height - 5}
        textAnchor="middle"
        fontSize="11.5"
        fill="var(--color-faint)"
        className="num"
      >
        {shortNameOf(row)}
      </text>
    );
  });
}

interface NumbersProps<Row> {
  title: string;
  row: Row;
  layers: readonly Layer<Row>[];
  /** The bar's edges. */
  left: number;
  right: number;
  width: number;
}

const BOX = 168;
const GAP = 6;

/** Beside the bar, never over it: on its right where there is room, else on its left. */
function Numbers<Row>({ title, row, layers, left, right, width }: NumbersProps<Row>) {
  const fitsRight = right + GAP + BOX <= width;
  const x = fitsRight ? right + GAP : Math.max(left - GAP - BOX, 0);
  return (
    <div
      data-chart-numbers
      className="pointer-events-none absolute top-0 rounded-lg border border-line bg-surface px-3 py-2 text-[0.8333rem] shadow-pop"
      style={{ left: x, width: BOX }}
    >
      <div className="mb-1 font-medium">{title}</div>
      {[...layers].reverse().map((layer) => (
        <div key={layer.name} className="num flex items-center gap-2 text-soft">
          <Swatch fill={layer.fill} />
          {layer.name}
          <span className="ml-auto text-ink">{count(layer.value(row))}</span>
        </div>
      ))}
    </div>
  );
}

export function Swatch({ fill }: { fill: string }) {
  return (
    <svg width="9" height="9" aria-hidden="true" className="shrink-0">
      <rect width="9" height="9" rx="2" fill={fill} />
    </svg>
  );
}

/** How wide an element is, now and whenever that changes. */
function useWidth(initial: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}

/** Round steps for an axis that starts at nothing: 0, 20, 40 … and never a broken number. */
export function axisTicks(max: number, wanted = 4): number[] {
  if (max <= 0) return [0, 1];
  const rough = max / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? power,
  );
  const ticks: number[] = [];
  for (let tick = 0; tick < max + step; tick += step) ticks.push(tick);
  return ticks;
}

/** Which buckets get a label, so that labels of this width do not touch. */
export function labelEvery(buckets: number, width: number, labelWidth: number): number {
  return Math.max(1, Math.ceil((buckets * labelWidth) / Math.max(width, 1)));
}

import { ACTIONS, CHECK_NAMES, SIGNALS } from '@postern/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { Pick } from '../../components/pick.tsx';
import { X } from '../../icons.ts';
import { type Filters, isFiltered, SPANS, withFilter } from './filters.ts';
import { readSeveral, toggled, without } from './several.ts';
import { SeveralFilter } from './several-filter.tsx';

interface FilterBarProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
  /** All rows of the review queue are of live keys and have the same answer. */
  inReview?: boolean;
  /** Test keys’ sign-ups are not counted. */
  liveOnly?: boolean;
  /** Shown beside the filters. */
  children?: ReactNode;
}

type Name = keyof Filters;

export function FilterBar({
  filters,
  onChange,
  inReview = false,
  liveOnly = inReview,
  children,
}: FilterBarProps) {
  const set = (name: Name) => (value: string) => onChange(withFilter(filters, name, value));
  const [custom, setCustom] = useState(filters.from !== undefined || filters.to !== undefined);
  const setSpan = (value: string) => {
    setCustom(value === 'custom');
    const { from: _from, to: _to, ...rest } = filters;
    onChange(withFilter(rest, 'last', value === 'custom' ? '' : value));
  };
  return (
    <search aria-label="Filters" className="grid gap-2">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {!inReview && (
          <SeveralFilter
            label="Answer"
            any="Any answer"
            value={filters.recommendation}
            onChange={set('recommendation')}
            options={ACTIONS.map((action) => [action, action] as const)}
          />
        )}
        <SeveralFilter
          label="Failed check"
          any="Any check"
          value={filters.check}
          onChange={set('check')}
          options={CHECK_NAMES.map((name) => [name, CHECKS[name].title] as const)}
        />
        <SeveralFilter
          label="Signal"
          any="Any signal"
          value={filters.signal}
          onChange={set('signal')}
          options={Object.keys(SIGNALS).map((signal) => [signal, signal] as const)}
        />
        <Pick label="Time" value={custom ? 'custom' : filters.last} onChange={setSpan} any="Any time">
          {[
            ...Object.entries(SPANS).map(([id, { name }]) => [id, name] as const),
            ['custom', 'Between…'] as const,
          ]}
        </Pick>
        {!liveOnly && (
          <Pick label="Key mode" value={filters.mode} onChange={set('mode')} any="Live and test">
            {[
              ['live', 'Live keys'],
              ['test', 'Test keys'],
            ]}
          </Pick>
        )}
        <DomainField value={filters.domainPart ?? ''} onChange={set('domainPart')} />
        {children}
      </div>
      {custom && <Between filters={filters} onChange={onChange} />}
      <FilterChips filters={filters} onChange={onChange} />
    </search>
  );
}

/** Several parts, with commas or spaces between them. */
const partsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((part) => part !== '' && part !== '!')
    .join(',');

/** Filters when the person stops typing or presses Enter, not at every letter. */
function DomainField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    const wanted = partsOf(text);
    if (wanted === value) return;
    const timer = setTimeout(() => onChange(wanted), 500);
    return () => clearTimeout(timer);
  });
  return (
    <input
      aria-label="Domain contains"
      className="control sm:!w-44"
      placeholder="Domain contains…"
      title="Part of a domain. Several with commas; ! in front of one that must not be there."
      autoCapitalize="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && onChange(partsOf(text))}
    />
  );
}

const toLocal = (at: number | undefined) =>
  at === undefined ? '' : new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function Between({ filters, onChange }: FilterBarProps) {
  const set = (name: 'from' | 'to') => (event: { target: { value: string } }) => {
    const at = Date.parse(event.target.value);
    onChange(withFilter(filters, name, Number.isNaN(at) ? undefined : at));
  };
  return (
    <div className="flex flex-wrap items-center gap-2 text-[0.9rem] text-soft">
      <label className="flex items-center gap-2">
        From
        <input
          type="datetime-local"
          className="control"
          value={toLocal(filters.from)}
          onChange={set('from')}
        />
      </label>
      <label className="flex items-center gap-2">
        to
        <input type="datetime-local" className="control" value={toLocal(filters.to)} onChange={set('to')} />
      </label>
    </div>
  );
}

interface FilterChipsProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** Filters that come from links and have no control of their own. Those of the first list take several values. */
const SEVERAL = ['domain', 'domainPart', 'network', 'country', 'asn', 'rule'] as const;
const HASHES = ['device', 'inbox'] as const;

const NAMES: Readonly<Record<(typeof SEVERAL)[number], readonly [is: string, not: string]>> = {
  domain: ['domain is', 'domain is not'],
  domainPart: ['domain contains', 'domain does not contain'],
  network: ['network is', 'network is not'],
  country: ['country is', 'country is not'],
  asn: ['AS number is', 'AS number is not'],
  rule: ['rule matched', 'rule did not match'],
};

const CHIP = 'flex items-center rounded-md bg-accent-soft text-accent-deep';
const PART = 'rounded-md px-2 py-1 hover:bg-hover';

function FilterChips({ filters, onChange }: FilterChipsProps) {
  if (!isFiltered(filters)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-[0.8667rem]">
      {SEVERAL.flatMap((name) =>
        [...readSeveral(filters[name])].map(([value, state]) => (
          <span key={`${name} ${value}`} className={CHIP}>
            <button
              type="button"
              className={PART}
              title="Click to reverse it"
              onClick={() => onChange(withFilter(filters, name, toggled(filters[name], value)))}
            >
              {NAMES[name][state === 'is' ? 0 : 1]} <code className="font-mono wrap-anywhere">{value}</code>
            </button>
            <Remove onClick={() => onChange(withFilter(filters, name, without(filters[name], value)))} />
          </span>
        )),
      )}
      {HASHES.flatMap((name) =>
        [...readSeveral(filters[name]).keys()].map((value) => (
          <span key={`${name} ${value}`} className={CHIP}>
            <span className="px-2 py-1">
              {/* The first letters of a hash are enough to recognise it. */}
              {name} <code className="font-mono">{value.slice(0, 10)}…</code>
            </span>
            <Remove onClick={() => onChange(withFilter(filters, name, without(filters[name], value)))} />
          </span>
        )),
      )}
      <Button small variant="quiet" onClick={() => onChange({})}>
        Clear all filters
      </Button>
    </div>
  );
}

function Remove({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className={PART} onClick={onClick}>
      <X size={13} />
      <span className="sr-only">Remove this filter</span>
    </button>
  );
}

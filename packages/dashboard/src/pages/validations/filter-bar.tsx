import { ACTIONS, CHECK_NAMES, SIGNALS } from '@postern/contract';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { type Filters, isFiltered, SPANS } from './filters.ts';
import { SeveralFilter } from './several-filter.tsx';

interface FilterBarProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

type Name = keyof Filters;

/** An empty filter is removed from the address bar. */
function withFilter(filters: Filters, name: Name, value: string | number | undefined): Filters {
  const { [name]: _old, ...rest } = filters;
  return value === undefined || value === '' ? rest : { ...rest, [name]: value };
}

export function FilterBar({ filters, onChange }: FilterBarProps) {
  const set = (name: Name) => (value: string) => onChange(withFilter(filters, name, value));
  const [custom, setCustom] = useState(filters.from !== undefined || filters.to !== undefined);
  const setSpan = (value: string) => {
    setCustom(value === 'custom');
    const { from: _from, to: _to, ...rest } = filters;
    onChange(withFilter(rest, 'last', value === 'custom' ? '' : value));
  };
  return (
    <search className="grid gap-2">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        <SeveralFilter
          label="Outcome"
          any="Any outcome"
          value={filters.recommendation}
          onChange={set('recommendation')}
          options={ACTIONS.map((action) => [action, action] as const)}
        />
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
        <Pick label="Key mode" value={filters.mode} onChange={set('mode')} any="Live and test">
          {[
            ['live', 'Live keys'],
            ['test', 'Test keys'],
          ]}
        </Pick>
        <DomainField value={filters.domainPart ?? ''} onChange={set('domainPart')} />
      </div>
      {custom && <Between filters={filters} onChange={onChange} />}
      <Chips filters={filters} onChange={onChange} />
    </search>
  );
}

interface PickProps {
  label: string;
  value: string | undefined;
  any: string;
  onChange: (value: string) => void;
  children: readonly (readonly [string, string])[];
}

function Pick({ label, value, any, onChange, children }: PickProps) {
  return (
    <select
      aria-label={label}
      className="control sm:!w-auto sm:max-w-38"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{any}</option>
      {children.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Filters when the person stops typing or presses Enter, not at every letter. */
function DomainField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    const wanted = text.trim().toLowerCase();
    if (wanted === value) return;
    const timer = setTimeout(() => onChange(wanted), 500);
    return () => clearTimeout(timer);
  });
  return (
    <input
      aria-label="Domain contains"
      className="control sm:!w-44"
      placeholder="Domain contains…"
      autoCapitalize="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && onChange(text.trim().toLowerCase())}
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

/** The first letters of a hash are enough to recognise it. */
const chipText = (name: string, value: string) =>
  name === 'device' || name === 'inbox' ? `${value.slice(0, 10)}…` : value;

/** Filters without a control of their own. They come from links. */
function Chips({ filters, onChange }: FilterBarProps) {
  if (!isFiltered(filters)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-[0.8667rem]">
      {(['domain', 'network', 'country', 'asn', 'device', 'inbox'] as const).map((name) => {
        const value = filters[name];
        return (
          value !== undefined && (
            <button
              key={name}
              type="button"
              className="flex items-center gap-1.5 rounded-md bg-accent-soft px-2 py-1 text-accent-deep"
              onClick={() => onChange(withFilter(filters, name, undefined))}
            >
              {name} <code className="font-mono wrap-anywhere">{chipText(name, value)}</code>
              <X size={13} aria-hidden="true" />
              <span className="sr-only">Remove this filter</span>
            </button>
          )
        );
      })}
      <Button small variant="quiet" onClick={() => onChange({})}>
        Clear all filters
      </Button>
    </div>
  );
}

import { Button } from '../../components/button.tsx';
import { X } from '../../icons.ts';
import { type Filters, isFiltered, withFilter } from './filters.ts';
import { readSeveral, toggled, without } from './several.ts';

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

export function FilterChips({ filters, onChange }: FilterChipsProps) {
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
      <X size={13} aria-hidden="true" />
      <span className="sr-only">Remove this filter</span>
    </button>
  );
}

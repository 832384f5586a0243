import { PopupMenu } from '../../components/popup-menu.tsx';
import { Check, ChevronDown, X } from '../../icons.ts';
import { pickNext, readSeveral, severalText } from './several.ts';

interface SeveralFilterProps {
  label: string;
  /** Shown when nothing is picked. */
  any: string;
  value: string | undefined;
  /** Pairs of value and name. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

const SIGNS = {
  is: <Check size={14} aria-label="is" className="text-allow" />,
  'is not': <X size={14} aria-label="is not" className="text-block" />,
} as const;

/** A menu for several values. Picking one once means “is”, twice “is not”, a third time clears it. */
export function SeveralFilter({ label, any, value, options, onChange }: SeveralFilterProps) {
  const picked = readSeveral(value);
  const names = new Map(options);
  const text = severalText(picked, (each) => names.get(each) ?? each);
  return (
    <PopupMenu
      label={`${label}: ${text === '' ? any : text}`}
      className="control flex items-center justify-between gap-2 text-left sm:!w-auto sm:max-w-56"
      button={
        <>
          <span className="truncate">{text === '' ? any : text}</span>
          <ChevronDown size={14} className="shrink-0 text-faint" />
        </>
      }
      heading={
        <p className="max-w-60 px-2.5 pb-1.5 text-[0.8rem] text-faint">
          Once: is. Twice: is not. Three times: neither.
        </p>
      }
      entries={options.map(([id, name]) => {
        const state = picked.get(id);
        return {
          key: id,
          label: name,
          icon: state === undefined ? <span className="size-3.5" /> : SIGNS[state],
          staysOpen: true,
          onPick: () => onChange(pickNext(picked, id)),
        };
      })}
    />
  );
}

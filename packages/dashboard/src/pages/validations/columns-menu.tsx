import { buttonClass } from '../../components/button.tsx';
import { PopupMenu } from '../../components/popup-menu.tsx';
import { Check, Columns3 } from '../../icons.ts';
import { COLUMNS, type ShownColumn } from './log-columns.tsx';

interface ColumnsMenuProps {
  columns: readonly ShownColumn[];
  onChange: (columns: readonly ShownColumn[]) => void;
}

const NAMES = Object.keys(COLUMNS) as ShownColumn[];

/** Chooses what the log shows. This browser remembers it. */
export function ColumnsMenu({ columns, onChange }: ColumnsMenuProps) {
  return (
    <PopupMenu
      label="Columns"
      className={buttonClass()}
      button={
        <>
          <Columns3 size={14} aria-hidden="true" /> Columns
        </>
      }
      entries={NAMES.map((name) => ({
        key: name,
        label: COLUMNS[name].title,
        icon: columns.includes(name) ? (
          <Check size={14} aria-label="shown" className="text-allow" />
        ) : (
          <span className="size-3.5" />
        ),
        staysOpen: true,
        onPick: () =>
          onChange(columns.includes(name) ? columns.filter((shown) => shown !== name) : [...columns, name]),
      }))}
    />
  );
}

import { Menu } from '@base-ui/react/menu';
import { clsx } from 'clsx';
import { Fragment, type ReactNode } from 'react';

interface MenuEntry {
  readonly key: string;
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  readonly onPick: () => void;
  /** Draws a line above it. */
  readonly separated?: boolean;
  readonly danger?: boolean;
  /** The menu stays open, so that several entries can be picked. */
  readonly staysOpen?: boolean;
}

interface PopupMenuProps {
  /** For screen readers, if the button's content is not enough. */
  label?: string;
  button: ReactNode;
  className: string;
  side?: 'top' | 'bottom';
  align?: 'start' | 'end';
  /** Text above the entries. */
  heading?: ReactNode;
  entries: readonly MenuEntry[];
}

/** A button with a menu. */
export function PopupMenu({
  label,
  button,
  className,
  side = 'bottom',
  align = 'start',
  heading,
  entries,
}: PopupMenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger aria-label={label} className={className}>
        {button}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side={side} align={align} sideOffset={6} className="z-40">
          <Menu.Popup className="max-h-[min(60dvh,var(--available-height))] min-w-56 overflow-y-auto rounded-xl border border-line bg-surface p-1.5 shadow-pop outline-none">
            {heading}
            {entries.map((entry) => (
              <Fragment key={entry.key}>
                {entry.separated === true && <Menu.Separator className="my-1.5 border-t border-line" />}
                <Menu.Item
                  onClick={entry.onPick}
                  closeOnClick={entry.staysOpen !== true}
                  className={clsx(
                    'flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-[0.9333rem] outline-none data-highlighted:bg-hover',
                    entry.danger === true && 'text-block',
                  )}
                >
                  {entry.icon}
                  {entry.label}
                </Menu.Item>
              </Fragment>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

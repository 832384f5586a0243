import { Menu } from '@base-ui/react/menu';
import { clsx } from 'clsx';
import { Fragment } from 'react';
import type { PopupMenuProps } from './menu-entry.ts';

/** The menu behind `PopupMenu`. It opens as soon as it is rendered. */
export function BaseMenu({
  label,
  button,
  className,
  side = 'bottom',
  align = 'start',
  heading,
  entries,
}: PopupMenuProps) {
  return (
    <Menu.Root defaultOpen>
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

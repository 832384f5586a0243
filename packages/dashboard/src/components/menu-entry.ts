import type { ReactNode } from 'react';

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

export interface PopupMenuProps {
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

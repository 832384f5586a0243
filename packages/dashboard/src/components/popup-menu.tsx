import { useState } from 'react';
import { lazyPart } from './lazy-part.tsx';
import type { PopupMenuProps } from './menu-entry.ts';
import { showMissingPart } from './toasts.tsx';

const BaseMenu = lazyPart(async () => (await import('./base-menu.tsx')).BaseMenu);

/** A button with a menu. The menu is loaded when the button is first used, to keep the first page small. */
export function PopupMenu(props: PopupMenuProps) {
  const [used, setUsed] = useState(false);
  const button = (
    <button
      type="button"
      aria-label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      className={props.className}
      onPointerEnter={BaseMenu.preload}
      onClick={() => setUsed(true)}
    >
      {props.button}
    </button>
  );
  const giveUp = () => {
    showMissingPart();
    setUsed(false);
  };
  return used ? <BaseMenu {...props} whileLoading={button} onMissing={giveUp} /> : button;
}

export const preloadMenu = BaseMenu.preload;

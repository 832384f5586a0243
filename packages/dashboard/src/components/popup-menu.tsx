import { lazy, Suspense, useState } from 'react';
import type { PopupMenuProps } from './menu-entry.ts';

const load = () => import('./base-menu.tsx');
const BaseMenu = lazy(async () => ({ default: (await load()).BaseMenu }));

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
      onPointerEnter={() => void load().catch(() => undefined)}
      onClick={() => setUsed(true)}
    >
      {props.button}
    </button>
  );
  return used ? (
    <Suspense fallback={button}>
      <BaseMenu {...props} />
    </Suspense>
  ) : (
    button
  );
}

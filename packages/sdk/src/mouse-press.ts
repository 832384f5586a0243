/** The click count of the pressed mouse button (2 for a double click); 0 while no button is pressed. */
let clickCount = 0;
let isWatching = false;
const waiting = new Set<() => void>();

/** Starts to track the mouse, once per page. Does nothing on a server. */
export function watchMouse(): void {
  if (isWatching || typeof document === 'undefined') return;
  isWatching = true;
  const onPress = ({ button, detail }: MouseEvent) => {
    if (button === 0) clickCount = detail || 1;
  };
  // The click comes right after `mouseup`, before any timer.
  const onRelease = () => setTimeout(release);
  addEventListener('mousedown', onPress, true);
  addEventListener('mouseup', onRelease, true);
  // After a drag there is no `mouseup`.
  addEventListener('dragend', onRelease, true);
}

/**
 * Runs `draw` now, or after the click if a mouse button is pressed. If the submit button moves between `mousedown` and
 * `mouseup`, the browser drops the click.
 */
export function afterMousePress(draw: () => void): void {
  if (clickCount === 0) draw();
  else waiting.add(draw);
}

/** Whether this is the second click of a double click, which does not mean a second submit. */
export function isRepeatedClick(): boolean {
  return clickCount > 1;
}

function release(): void {
  clickCount = 0;
  // Entries may be deleted while iterating over a set.
  for (const draw of waiting) {
    waiting.delete(draw);
    draw();
  }
}

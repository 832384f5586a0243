/** How many clicks in a row the mouse button that is down makes; 0 while no button is down. */
let clickCount = 0;
let isWatching = false;
const waiting = new Set<() => void>();

/** Starts to watch the mouse, once for the page. Does nothing on a server. */
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
 * Runs `draw` now, or after the click while a mouse button is down. Whatever moves the submit button between
 * `mousedown` and `mouseup` makes the browser drop the click.
 */
export function afterMousePress(draw: () => void): void {
  if (clickCount === 0) draw();
  else waiting.add(draw);
}

/** Whether this is the second click of a double click, which is no second decision to submit. */
export function isRepeatedClick(): boolean {
  return clickCount > 1;
}

function release(): void {
  clickCount = 0;
  // A set hands out each entry once, also when it is deleted on the way.
  for (const draw of waiting) {
    waiting.delete(draw);
    draw();
  }
}

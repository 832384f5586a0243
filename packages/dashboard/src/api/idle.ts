const IDLE_AFTER_MS = 2 * 60_000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

let usedAt = Date.now();
const note = () => {
  usedAt = Date.now();
};
if (typeof window !== 'undefined')
  for (const name of SIGNS_OF_LIFE) window.addEventListener(name, note, { capture: true, passive: true });

/** Whether the member has not touched this page for a while. It still asks the service for news. */
export const isIdle = () => Date.now() - usedAt > IDLE_AFTER_MS;

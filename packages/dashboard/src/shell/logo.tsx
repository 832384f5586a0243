/** A postern: the small gate beside the big one. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="8" fill="var(--color-accent)" />
      <path d="M8 26V15a8 8 0 0 1 16 0v11h-4.5V15.4a3.5 3.5 0 0 0-7 0V26z" fill="var(--color-on-accent)" />
    </svg>
  );
}

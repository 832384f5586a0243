import type { RuleCheck } from '@postern/contract/dashboard';

interface FaultMarkProps {
  text: string;
  fault: NonNullable<RuleCheck['fault']>;
  /** The look of the text area above it, so that both break their lines alike. */
  className: string;
}

/** Underlines the place of a fault, behind a text area with the same text. */
export function FaultMark({ text, fault, className }: FaultMarkProps) {
  const at = offsetOf(text, fault);
  // The word at the place, or one sign; at the end of the text, a space.
  const wrong = /^(?:[\w.]+|[^\n])/u.exec(text.slice(at))?.[0] ?? ' ';
  return (
    <pre
      aria-hidden="true"
      className={`pointer-events-none absolute inset-0 overflow-hidden text-transparent ${className}`}
    >
      {text.slice(0, at)}
      <mark className="bg-block-soft text-transparent underline decoration-block decoration-wavy decoration-2 underline-offset-4">
        {wrong}
      </mark>
      {text.slice(at + wrong.length)}
    </pre>
  );
}

/** Lines and columns count from 1. */
function offsetOf(text: string, { line, column }: FaultMarkProps['fault']): number {
  const before = text.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, each) => sum + each.length + 1, 0);
  return Math.min(text.length, start + column - 1);
}

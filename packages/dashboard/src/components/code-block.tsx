import { clsx } from 'clsx';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  code: string;
  label: string;
  className?: string;
}

/** Code to copy. It scrolls by itself, also with the keyboard, so that long lines do not widen the page. */
export function CodeBlock({ code, label, className }: CodeBlockProps) {
  return (
    <div className={clsx('flex min-w-0 rounded-lg border border-line bg-sunken', className)}>
      <div className="order-last shrink-0 p-1.5">
        <CopyButton text={code} label={`Copy ${label}`} bare />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        aria-label={label}
        className="max-h-[34rem] min-w-0 flex-1 overflow-auto rounded-lg"
      >
        <pre className="p-3.5 font-mono text-[0.8333rem] leading-relaxed">
          <code>{code}</code>
        </pre>
      </div>
    </div>
  );
}

/** A secret that is shown only once. */
export function OnceSecret({ value, label }: { value: string; label: string }) {
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-sunken p-2.5">
      <code className="min-w-0 flex-1 basis-60 font-mono text-[0.8667rem] break-all select-all">{value}</code>
      <CopyButton text={value} label={`Copy ${label}`} />
    </div>
  );
}

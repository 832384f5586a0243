import { clsx } from 'clsx';
import type { ButtonHTMLAttributes } from 'react';
import { LoaderCircle } from '../icons.ts';

type Variant = 'primary' | 'plain' | 'quiet' | 'danger';

const VARIANTS: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-deep border-transparent',
  plain: 'bg-surface text-ink border-line-strong hover:bg-hover',
  quiet: 'bg-transparent text-soft border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-block border-line-strong hover:bg-block-soft hover:border-block',
};

/** Also used by links that look like a button. */
export function buttonClass(variant: Variant = 'plain', small = false): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-lg border font-medium whitespace-nowrap transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-55',
    small ? 'min-h-8 px-2.5 text-[0.8667rem]' : 'min-h-9.5 px-3.5 text-[0.9333rem]',
    VARIANTS[variant],
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant;
  small?: boolean;
  busy?: boolean;
}

export function Button({
  variant = 'plain',
  small = false,
  busy = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled === true || busy}
      aria-busy={busy || undefined}
      className={clsx(buttonClass(variant, small), className)}
    >
      {busy && <LoaderCircle size={15} className="animate-spin" />}
      {children}
    </button>
  );
}

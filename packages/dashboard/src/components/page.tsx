import { clsx } from 'clsx';
import { type ReactNode, useEffect, useId } from 'react';

interface PageProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** At the right of the content, or below it where the window is narrow. */
  margin?: ReactNode;
  children: ReactNode;
}

const ONE_COLUMN = 'grid min-w-0 grid-cols-1 gap-5';

/** The layout of every page: title, one sentence, actions, content. */
export function Page({ title, lead, actions, margin, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  return (
    <div className={ONE_COLUMN}>
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-[1.45rem] leading-tight font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {lead !== undefined && <p className="mt-1 max-w-2xl text-soft">{lead}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {margin === undefined ? (
        children
      ) : (
        <div className={clsx(ONE_COLUMN, 'margin:grid-cols-[minmax(0,1fr)_17rem] margin:items-start')}>
          <div className={ONE_COLUMN}>{children}</div>
          {margin}
        </div>
      )}
    </div>
  );
}

interface SectionProps {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

/** A card with a heading. With `flush` the content extends to the edges, as tables do. */
export function Section({ title, lead, actions, flush = false, className, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={clsx('card min-w-0', className)}>
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-3.5 sm:px-5">
        <div className="min-w-0">
          <h2 id={id} className="text-[1rem] font-semibold">
            {title}
          </h2>
          {lead !== undefined && <p className="mt-0.5 text-[0.9rem] text-soft">{lead}</p>}
        </div>
        {actions}
      </header>
      <div className={flush ? 'pt-3' : 'px-4 pt-3 pb-4 sm:px-5 sm:pb-5'}>{children}</div>
    </section>
  );
}

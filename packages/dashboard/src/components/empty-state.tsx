import type { ReactNode } from 'react';
import type { Icon } from './create-icon.ts';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** Shown when there is no data yet: what the page is for, and the next step. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 px-6 py-10 text-center">
      <span className="grid size-11 place-items-center rounded-xl bg-accent-soft text-accent">
        <Icon size={21} />
      </span>
      <p className="font-semibold">{title}</p>
      <div className="max-w-md text-soft">{children}</div>
      {action}
    </div>
  );
}

import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { failureText } from '../api/client.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** A grey placeholder of the size of the content, so that the layout does not jump. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      data-pending
      aria-hidden="true"
      className={clsx('animate-[pulse-soft_1.6s_ease-in-out_infinite] rounded-md bg-hover', className)}
    />
  );
}

export function SkeletonRows({ rows = 6, className }: { rows?: number; className?: string }) {
  return (
    <div className={clsx('grid gap-2.5', className)} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
        <Skeleton key={index} className="h-8" />
      ))}
    </div>
  );
}

interface ShowMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  children?: string;
}

/** Below a list: a button for its next page, while there is one. */
export function ShowMore({ query, children = 'Show older' }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center border-t border-line p-3">
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {children}
      </Button>
    </div>
  );
}

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  pending: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows the result of a query, its skeleton, or the error with a retry button. */
export function Loaded<T>({ query, pending, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null || query.error === undefined) return pending;
  return (
    <Notice
      kind="bad"
      action={
        <Button small onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {failureText(query.error)}
    </Notice>
  );
}

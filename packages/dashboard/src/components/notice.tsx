import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { CircleCheck, CircleX, Info, TriangleAlert } from '../icons.ts';

const KINDS = {
  good: { Icon: CircleCheck, look: 'bg-allow-soft text-allow', role: 'status' },
  note: { Icon: Info, look: 'bg-accent-soft text-accent-deep', role: 'note' },
  warn: { Icon: TriangleAlert, look: 'bg-flag-soft text-flag', role: 'note' },
  bad: { Icon: CircleX, look: 'bg-block-soft text-block', role: 'alert' },
} as const;

interface NoticeProps {
  kind: keyof typeof KINDS;
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}

export function Notice({ kind, children, action, className }: NoticeProps) {
  const { Icon, look, role } = KINDS[kind];
  return (
    <div
      role={role}
      className={clsx('flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg px-3.5 py-2.5', look, className)}
    >
      <Icon size={17} className="mt-[0.2rem] shrink-0" />
      <div className="min-w-0 flex-1 basis-52 text-[0.9333rem] text-ink wrap-anywhere">{children}</div>
      {action !== undefined && (
        <div className="flex flex-wrap gap-2 max-sm:basis-full max-sm:pl-[1.9rem]">{action}</div>
      )}
    </div>
  );
}

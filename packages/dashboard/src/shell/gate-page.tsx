import { type ReactNode, useEffect } from 'react';
import { Logo } from './logo.tsx';

/** The layout of pages that need no session, such as signing in: one card in the middle. */
export function GatePage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  return (
    <main className="grid min-h-dvh content-center justify-items-center gap-6 px-4 py-10">
      <div className="flex items-center gap-2.5 text-lg font-semibold tracking-tight">
        <Logo size={30} /> Postern
      </div>
      <div className="card w-full max-w-sm p-6">
        <h1 className="text-[1.2rem] font-semibold tracking-tight">{title}</h1>
        {lead !== undefined && <div className="mt-1 text-[0.9333rem] text-soft">{lead}</div>}
        <div className="mt-5">{children}</div>
      </div>
    </main>
  );
}

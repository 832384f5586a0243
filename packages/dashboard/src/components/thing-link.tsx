import type { ThingKind } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TimeRange } from './time-range.ts';

/** One thing as the address bar names it: `{ domain: 'gmail.com' }`. */
export type ThingName = Partial<Record<ThingKind, string>>;

/** An address literal is no domain, so it has no page; nor has an address without a domain. */
export const hasPage = (domain: string) => domain !== '' && !domain.startsWith('[');

interface ThingLinkProps {
  projectId: string;
  of: ThingName;
  /** The page opens with the same time. */
  range?: TimeRange;
  className?: string;
  children: ReactNode;
}

/** A link to everything about a person, a device, a domain, a mail host or a network. */
export function ThingLink({ projectId, of, range = {}, className, children }: ThingLinkProps) {
  return (
    <Link
      to="/projects/$projectId/thing"
      params={{ projectId }}
      search={{ ...of, ...range }}
      className={className ?? 'rounded hover:text-accent hover:underline'}
    >
      {children}
    </Link>
  );
}

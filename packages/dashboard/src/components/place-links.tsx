import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TimeRange } from './time-range.ts';

const LINK = 'rounded hover:text-accent hover:underline';

/** An address literal is no domain, so it has no page. */
export const hasPage = (domain: string) => !domain.startsWith('[');

interface PlaceLinkProps {
  projectId: string;
  /** The page opens with the same time. */
  range: TimeRange;
  className?: string;
  children: ReactNode;
}

/** A link to everything about one domain. */
export function DomainLink({
  projectId,
  domain,
  range,
  className = LINK,
  children,
}: PlaceLinkProps & { domain: string }) {
  return (
    <Link
      to="/projects/$projectId/domains/$domain"
      params={{ projectId, domain }}
      search={range}
      className={className}
    >
      {children}
    </Link>
  );
}

/** A link to everything about one network: an operator’s by its number, or a range of addresses. */
export function NetworkLink({
  projectId,
  of,
  range,
  className = LINK,
  children,
}: PlaceLinkProps & { of: { asn: number } | { network: string } }) {
  return (
    <Link
      to="/projects/$projectId/network"
      params={{ projectId }}
      search={{ ...of, ...range }}
      className={className}
    >
      {children}
    </Link>
  );
}

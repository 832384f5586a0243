export interface MailHost {
  readonly exchange: string;
  readonly priority: number;
  /** The host’s addresses, if they were looked up. */
  readonly addresses: readonly string[];
}

/** How mail gets to a domain, according to DNS. */
export type MailRoute =
  | { readonly status: 'found'; readonly hosts: readonly MailHost[]; readonly implicit: boolean }
  | { readonly status: 'null-mx' }
  | { readonly status: 'no-records' }
  | { readonly status: 'no-domain' }
  | { readonly status: 'unroutable'; readonly hosts: readonly MailHost[] }
  /** DNS could not tell. This is never the end user’s fault. */
  | {
      readonly status: 'unknown';
      readonly reason: 'resolver-offline' | 'timeout' | 'server-failure' | 'not-asked' | 'no-resources';
      /** Whether DNS answered for other domains at the same time. */
      readonly alone?: true;
    };

/** The route of a domain that was not looked up, such as an address literal’s. */
export const NOT_ASKED: MailRoute = Object.freeze({ status: 'unknown', reason: 'not-asked' });

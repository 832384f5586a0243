import { readJson } from '../lists/read-list.ts';

/**
 * Which address variants each mail provider delivers to the same inbox. Each rule names the page where the provider
 * documents it, or gives the reasoning if there is none. Rules that are not certain are not listed.
 */
export interface MailProvider {
  readonly name: string;
  readonly source: string;
  readonly domains: readonly string[];
  /** Characters that begin a tag; empty where no tag is known to be delivered. */
  readonly tags: string;
  /** Whether account names can contain a plus, so that it is not even a guess at a tag. */
  readonly plusInNames?: true;
  /** Characters of the local part that the provider ignores. */
  readonly ignored?: string;
  /** A character that the provider treats as another: `[from, to]`. */
  readonly equal?: readonly [string, string];
  /** The domain that all `domains` are synonyms of. If absent, each domain has its own inboxes. */
  readonly inboxDomain?: string;
  /** Whether `anything@user.domain` reaches `user@domain`. */
  readonly subdomains?: true;
}

export const MAIL_PROVIDERS: readonly MailProvider[] = readJson('domains/inbox-rules.json');

/**
 * The company that hosts a domain’s mail, by the names of its mail hosts. All deliver `+` tags; dots count everywhere.
 */
export interface MailHosting {
  readonly name: string;
  /** The page that describes it; absent where none was noted. */
  readonly source?: string;
  /** The host names or their parent domains. */
  readonly hosts: readonly string[];
  /** Whether `anything@user.domain` may reach `user@domain`: the domain’s owner decides, so it is a guess. */
  readonly subdomains?: true;
}

export const MAIL_HOSTINGS: readonly MailHosting[] = readJson('mail-hosts/inbox-rules.json');

const PROVIDER_DOMAINS: ReadonlySet<string> = new Set(MAIL_PROVIDERS.flatMap(({ domains }) => domains));

/** Whether unrelated people share the domain, as with gmail.com. */
export function isMailProvider(domain: string): boolean {
  return PROVIDER_DOMAINS.has(domain);
}

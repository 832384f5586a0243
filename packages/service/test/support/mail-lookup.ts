import {
  createMailLookup,
  type MailLookup,
  type MailLookupOptions,
} from '../../src/lookup/dns/mail-lookup.ts';
import { type DnsServer, startDnsServer, type Zone } from './dns-server.ts';

/** An address that looks public. */
export const PUBLIC = '93.184.216.34';

export interface LookupBench {
  readonly serve: (zone: Zone, host?: string) => Promise<DnsServer>;
  /**
   * Without canaries by default, so that only the look-up’s own questions are asked, and with enough time that a busy
   * machine repeats none.
   */
  readonly lookUpThrough: (server: DnsServer | readonly string[], options?: MailLookupOptions) => MailLookup;
  /** Ends the look-ups first, then the servers. */
  readonly close: () => Promise<void>;
}

/** Look-ups against DNS servers on loopback, ended together. */
export function createLookupBench(): LookupBench {
  const servers: DnsServer[] = [];
  const lookups: MailLookup[] = [];
  return {
    serve: async (zone, host) => {
      const server = await startDnsServer(zone, host);
      servers.push(server);
      return server;
    },
    lookUpThrough: (server, options = {}) => {
      const addresses = 'address' in server ? [server.address] : server;
      const lookup = createMailLookup({ servers: addresses, canaries: 'off', budgetMs: 30_000, ...options });
      lookups.push(lookup);
      return lookup;
    },
    close: async () => {
      for (const lookup of lookups.splice(0)) lookup.close();
      await Promise.all(servers.splice(0).map((server) => server.close()));
    },
  };
}

/** An address on which nothing listens. */
export async function deadServer(): Promise<string> {
  const server = await startDnsServer();
  await server.close();
  return server.address;
}

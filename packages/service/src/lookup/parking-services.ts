import { readWords } from '../lists/read-list.ts';

const MAIL_HOSTS = new Set(readWords('mail-hosts/parking.txt'));
const NAME_SERVERS = new Set(readWords('name-servers/parking.txt'));

/** The parking service that a mail host belongs to. `undefined`: none that is known. */
export const parkingMailHost = (host: string): string | undefined => nearestEntry(host, MAIL_HOSTS);

/** The parking service that a name server belongs to. `undefined`: none that is known. */
export const parkingNameServer = (server: string): string | undefined => nearestEntry(server, NAME_SERVERS);

/** The name itself or the nearest name above it that the list has. */
function nearestEntry(name: string, list: ReadonlySet<string>): string | undefined {
  for (let rest = name; ; ) {
    if (list.has(rest)) return rest;
    const dot = rest.indexOf('.');
    if (dot < 0) return undefined;
    rest = rest.slice(dot + 1);
  }
}

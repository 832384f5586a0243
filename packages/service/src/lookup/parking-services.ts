import { readWords } from '../lists/read-list.ts';
import { nearestEntry } from '../model/nearest-entry.ts';

const MAIL_HOSTS = new Set(readWords('mail-hosts/parking.txt'));
const NAME_SERVERS = new Set(readWords('name-servers/parking.txt'));

/** The parking service that a mail host belongs to. `undefined`: none that is known. */
export const parkingMailHost = (host: string): string | undefined => nearestEntry(host, MAIL_HOSTS);

/** The parking service that a name server belongs to. `undefined`: none that is known. */
export const parkingNameServer = (server: string): string | undefined => nearestEntry(server, NAME_SERVERS);

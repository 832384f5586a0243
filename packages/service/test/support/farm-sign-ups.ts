import type { TestProject } from './service.ts';
import { untilCounted } from './until-counted.ts';

/** Domains of the farm; the service’s test DNS must know them. */
export const FARM_DOMAINS = ['mail-harbour.net', 'post-quarry.net', 'letter-dock.net'] as const;
/** How many inboxes each of the four devices brings: 103. */
const FARM_INBOXES = [18, 29, 32, 24] as const;

export interface SignUp {
  readonly email: string;
  readonly ip: string;
  readonly fingerprintHash: string;
}

/** A farm of 4 devices, 103 inboxes, 3 domains and one /24. */
export const FARM_SIGN_UPS: readonly SignUp[] = FARM_INBOXES.flatMap((inboxes, device) =>
  Array.from({ length: inboxes }, (_, index) => ({
    email: `offer.hunter${device}${10 + index}@${FARM_DOMAINS[index % FARM_DOMAINS.length]}`,
    ip: `203.0.113.${10 + device}`,
    fingerprintHash: `farm-device-${device}`,
  })),
);

const AT_ONCE = 10;

/** Validates them, a few at a time. */
export async function signUp(project: TestProject, people: readonly SignUp[]): Promise<void> {
  for (let at = 0; at < people.length; at += AT_ONCE)
    await Promise.all(
      people.slice(at, at + AT_ONCE).map((person) => untilCounted(() => project.validate(person))),
    );
}

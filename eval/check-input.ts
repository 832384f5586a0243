import { readFile } from 'node:fs/promises';
import type { Check, CheckInput, Finding } from '../packages/service/src/checks/check.ts';
import { createCheckInput } from '../packages/service/src/checks/check-input.ts';
import type { EmailAddress } from '../packages/service/src/model/email-address.ts';
import { type IpAddress, parseIpAddress } from '../packages/service/src/model/ip-address.ts';
import type { MailRoute } from '../packages/service/src/model/mail-route.ts';
import { parseEmailAddress } from '../packages/service/src/model/parse-email-address.ts';
import { DEFAULT_POLICY } from '../packages/service/src/model/project.ts';
import { Missing } from './suite.ts';

interface Given {
  /** The mail hosts in DNS. If absent, the check runs as if DNS did not answer. */
  readonly mailHosts?: readonly string[] | undefined;
  readonly ip?: IpAddress | undefined;
}

/** The input that a check gets from the service for this address, in a project with default settings. */
export function checkInput(address: EmailAddress, { mailHosts, ip }: Given = {}): CheckInput {
  const route = routeOf(mailHosts);
  const project = { policy: DEFAULT_POLICY };
  return createCheckInput({ address, ip, project, now: 0 }, () => route);
}

function routeOf(mailHosts: readonly string[] | undefined): MailRoute {
  if (mailHosts === undefined) return { status: 'unknown', reason: 'not-asked' };
  const hosts = mailHosts.map((exchange, index) => ({ exchange, priority: 10 * (index + 1), addresses: [] }));
  return { status: 'found', implicit: false, hosts };
}

/** Parses an address of the corpus. Throws if it is not an address. */
export function addressOf(text: string): EmailAddress {
  const address = parseEmailAddress(text);
  if (address === undefined) throw new Error(`${text} in the corpus is not an address`);
  return address;
}

export function ipIn(text: string): IpAddress {
  const ip = parseIpAddress(text);
  if (ip === undefined) throw new Error(`${text} in the corpus is not an IP address`);
  return ip;
}

/** Kinds of networks that fail the `ip` check. */
export const FAILING_KINDS = new Set<string>(['tor', 'vpn', 'proxy', 'hosting']);

export async function fails(check: Check, input: CheckInput): Promise<boolean> {
  return (await inspect(check, input)).result === 'failed';
}

export async function inspect(check: Check, input: CheckInput): Promise<Finding> {
  return await check.inspect(input);
}

/** A file of the data that the build compiled. */
export async function compiledData(name: string): Promise<Uint8Array> {
  return await readFile(new URL(`../packages/service/dist/data/${name}`, import.meta.url)).catch(() => {
    throw new Missing(`the compiled data ${name} is missing; run npm run build`);
  });
}

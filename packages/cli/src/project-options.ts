import type { PolicyFields, ProjectFields } from '@postern/service/administration/project-fields';
import type { Command } from 'commander';
import { UsageFault } from './failure.ts';

export interface ProjectOptions {
  readonly name?: string;
  readonly allowDomain?: readonly string[];
  readonly plan?: string;
  readonly quota?: string;
  readonly rateClient?: string;
  readonly rateServer?: string;
  readonly retentionDays?: string;
  readonly action?: readonly string[];
  readonly relays?: string;
  readonly clientOverrides?: string;
  readonly deviceThreshold?: string;
  readonly deviceCommonNetworks?: string;
  readonly messageTone?: string;
  readonly alwaysAllow?: readonly string[];
  readonly alwaysBlock?: readonly string[];
}

/** An option that may be given many times. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** What `project create` and `project update` share. */
export function addProjectOptions(command: Command): Command {
  return command
    .option('--name <name>', 'what people call it')
    .option('--allow-domain <pattern>', 'origin that client keys may call from; repeatable', collect)
    .option('--plan <plan>', 'the plan whose monthly quota holds')
    .option('--quota <count>', 'validations a month, instead of the plan’s; "plan": the plan’s again')
    .option('--rate-client <count>', 'requests an hour for client keys')
    .option('--rate-server <count>', 'requests an hour for server keys')
    .option('--action <check=action>', 'allow, flag, block or off for one check; repeatable', collect)
    .option('--relays <pass|fail>', 'whether privacy relays pass the alias check')
    .option('--client-overrides <allow|tighten|ignore>', 'what `validations` from a client key may do')
    .option('--device-threshold <count>', 'other inboxes from which the device check fails')
    .option('--device-common-networks <count>', 'networks from which a fingerprint is no evidence')
    .option('--message-tone <plain|friendly>', 'how messages for the end user are worded')
    .option('--retention-days <days>', 'how long sightings of devices and inboxes are kept')
    .option(
      '--always-allow <entry>',
      'add an address, domain, IP or CIDR to the allow list; repeatable',
      collect,
    )
    .option('--always-block <entry>', 'the same for the block list; repeatable', collect);
}

/** The options as the use cases take them; they judge the values. */
export function readProjectOptions(options: ProjectOptions): ProjectFields {
  return {
    name: options.name,
    allowedDomains: options.allowDomain,
    plan: options.plan,
    quotaLimit: options.quota === 'plan' ? null : count('--quota', options.quota),
    rateClient: count('--rate-client', options.rateClient),
    rateServer: count('--rate-server', options.rateServer),
    retentionDays: count('--retention-days', options.retentionDays),
    policy: readPolicy(options),
  };
}

/** The values are strings that a person typed; the use cases refuse the unknown ones with what is known. */
function readPolicy(options: ProjectOptions): PolicyFields | undefined {
  const policy = {
    actions: options.action === undefined ? undefined : Object.fromEntries(options.action.map(readAction)),
    relays: options.relays,
    clientOverrides: options.clientOverrides,
    deviceThreshold: count('--device-threshold', options.deviceThreshold),
    deviceCommonNetworks: count('--device-common-networks', options.deviceCommonNetworks),
    messageTone: options.messageTone,
  };
  return Object.values(policy).every((value) => value === undefined) ? undefined : (policy as PolicyFields);
}

function readAction(text: string): [string, string] {
  const [check, action, ...more] = text.split('=');
  if (!check || !action || more.length > 0) {
    throw new UsageFault(`--action '${text}' is not understood. Write check=action, for example mx=flag.`);
  }
  return [check, action];
}

/** The use cases know what range is possible; what is no number at all is told by the option’s own name. */
function count(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageFault(`${option} takes a whole number, not "${text}".`);
  return Number(text);
}

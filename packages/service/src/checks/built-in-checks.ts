import type { ZoneLookup } from '../lookup/dns/zone-lookup.ts';
import type { DomainDates } from '../lookup/domain-dates.ts';
import type { DomainList } from '../lookup/domain-list.ts';
import type { IpRanges } from '../lookup/ip-ranges.ts';
import type { MailInfrastructure } from '../lookup/mail-infrastructure.ts';
import type { OperatorDatabase } from '../lookup/operator-mmdb.ts';
import { aliasCheck } from './alias/alias-check.ts';
import { deviceCheck } from './device/device-check.ts';
import { createDisposableCheck } from './disposable/disposable-check.ts';
import { createIpCheck } from './ip/ip-check.ts';
import { createMxCheck } from './mx/mx-check.ts';
import { roleEmailCheck } from './role-email/role-email-check.ts';
import type { Checks } from './run-checks.ts';
import { syntaxCheck } from './syntax/syntax-check.ts';

/**
 * The data that checks look things up in. Each is a function, because feeds replace the data while the service runs.
 */
export interface CheckData {
  readonly domainList: () => DomainList;
  readonly ipRanges: () => IpRanges;
  readonly infrastructure: MailInfrastructure | undefined;
  readonly zone: ZoneLookup | undefined;
  readonly operatorDatabase: OperatorDatabase | undefined;
  readonly registeredOn?: DomainDates | undefined;
}

/** The checks. The type makes the compiler report a missing one. */
export function builtInChecks(data: CheckData): Checks {
  return {
    syntax: syntaxCheck,
    disposable: createDisposableCheck(data),
    mx: createMxCheck(),
    roleEmail: roleEmailCheck,
    alias: aliasCheck,
    device: deviceCheck,
    ip: createIpCheck({ ranges: data.ipRanges, operatorDatabase: data.operatorDatabase }),
  };
}

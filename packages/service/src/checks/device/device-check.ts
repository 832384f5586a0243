import { deviceSeenSignal, type Signal } from '@postern/contract';
import type { DeviceHistory } from '../../model/history.ts';
import { automationOf } from '../../model/user-agent.ts';
import type { Check } from '../check.ts';

/**
 * How many different inboxes did this fingerprint bring to this project before? The counting itself happens in
 * the store, in the transaction that counts the request, so that parallel requests see each other.
 */
export const deviceCheck: Check = {
  applies: (input) => input.fingerprintHash !== undefined,

  inspect: (input) => {
    if (input.userAgent === undefined || automationOf(input.userAgent) === undefined)
      return { outcome: 'passed' };
    return { outcome: 'passed', signals: ['automated_browser'], metadata: { automated: true } };
  },

  recall: (finding, history) => {
    const { device } = history;
    if (device === null) return finding;
    const facts = {
      signals: [...(finding.signals ?? []), ...reuseSignals(device)],
      metadata:
        finding.metadata === undefined
          ? deviceMetadata(device)
          : { ...deviceMetadata(device), ...finding.metadata },
    };
    return device.overThreshold
      ? {
          outcome: 'failed',
          error: `Device was used with ${device.otherAddresses} other addresses`,
          ...facts,
        }
      : { outcome: 'passed', ...facts };
  },
};

function reuseSignals(device: DeviceHistory): Signal[] {
  const signals: Signal[] = [];
  if (device.otherAddresses > 0) signals.push('device_reuse');
  if (device.previousSignups >= 2) signals.push(deviceSeenSignal(device.previousSignups));
  return signals;
}

function deviceMetadata(device: DeviceHistory): Record<string, unknown> {
  const { otherAddresses, networks, common, firstSeen, lastSeen } = device;
  const commonality = { networks, common };
  if (firstSeen === null || lastSeen === null) return { otherAddresses, commonality };
  return {
    firstSeen: new Date(firstSeen).toISOString(),
    lastSeen: new Date(lastSeen).toISOString(),
    otherAddresses,
    commonality,
  };
}

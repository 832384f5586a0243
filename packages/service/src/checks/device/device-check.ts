import { deviceSeenSignal, type Signal } from '@postern/contract';
import { withCrowds } from '../../model/crowd-finding.ts';
import { type DeviceHistory, type History, SEEN_TWICE } from '../../model/history.ts';
import { automationIn, type Check, type Finding } from '../check.ts';

/** A client key is public, so what it says blocks no person. */
const ONLY_CLAIMED = 'too few of them confirmed by a backend, so it only flags';

/**
 * How many different inboxes signed up from this device before? The store counts them in the transaction that counts
 * the request, so that parallel requests see each other.
 */
export const deviceCheck: Check = {
  needs: 'fingerprintHash',
  needsDns: false,

  inspect: (input) => {
    const automatedBy = automationIn(input);
    if (automatedBy === undefined) return { result: 'passed' };
    return { result: 'passed', signals: ['automated_browser'], metadata: { automated: true, automatedBy } };
  },

  recall: (finding, history) => withCrowds(recallDevice(finding, history), ['device'], history),

  // The store keeps a device’s history whether or not the check ran.
  replay: (logged, { device }) => (device === null ? undefined : (logged ?? { result: 'passed' })),
};

function recallDevice(finding: Finding, { device }: History): Finding {
  if (device === null) return finding;
  const signals = [...(finding.signals ?? []), ...reuseSignals(device)];
  const metadata =
    finding.metadata === undefined
      ? deviceMetadata(device)
      : { ...deviceMetadata(device), ...finding.metadata };
  if (device.overThreshold) {
    const error = `Device was used with ${device.otherAddresses} other addresses`;
    if (!device.flagsOnly || finding.result === 'failed')
      return { result: 'failed', error, signals, metadata };
    return { result: 'failed', error: `${error}, ${ONLY_CLAIMED}`, atMost: 'flag', signals, metadata };
  }
  return finding.result === 'passed'
    ? { result: 'passed', signals, metadata }
    : { ...finding, signals, metadata };
}

function reuseSignals(device: DeviceHistory): Signal[] {
  const signals: Signal[] = [];
  if (device.otherAddresses > 0) signals.push('device_reuse');
  if (device.previousSignups >= SEEN_TWICE) signals.push(deviceSeenSignal(device.previousSignups));
  return signals;
}

function deviceMetadata(device: DeviceHistory): Record<string, unknown> {
  const { otherAddresses, blockedAttempts, networks, common, firstSeen, lastSeen } = device;
  const commonality = { networks, common };
  if (firstSeen === null || lastSeen === null) return { otherAddresses, blockedAttempts, commonality };
  return {
    firstSeen: new Date(firstSeen).toISOString(),
    lastSeen: new Date(lastSeen).toISOString(),
    otherAddresses,
    blockedAttempts,
    commonality,
  };
}

import { describe, expect, it } from 'vitest';
import { inputFor } from '../../../test/support/check-input.ts';
import type { DeviceHistory } from '../../model/history.ts';
import { hasInput } from '../check.ts';
import { deviceCheck } from './device-check.ts';

const input = inputFor('jane@example.com', { fingerprintHash: 'f' });
const fresh: DeviceHistory = {
  previousSignups: 0,
  otherAddresses: 0,
  people: 0,
  confirmedPeople: 0,
  blockedAttempts: 0,
  networks: 1,
  overThreshold: false,
  flagsOnly: false,
  common: false,
  firstSeen: null,
  lastSeen: null,
};

function recall(device: Partial<DeviceHistory>) {
  return deviceCheck.recall?.({ result: 'passed' }, { device: { ...fresh, ...device }, inboxReused: false });
}

describe('device', () => {
  it('runs only with a fingerprint', () => {
    expect(hasInput(deviceCheck, input)).toBe(true);
    expect(hasInput(deviceCheck, { ...input, fingerprintHash: undefined })).toBe(false);
  });

  it('gives no signal for a device with its first inbox or the same inbox again', () => {
    expect(recall({})).toEqual({
      result: 'passed',
      signals: [],
      metadata: { otherAddresses: 0, blockedAttempts: 0, commonality: { networks: 1, common: false } },
    });
    expect(recall({ previousSignups: 1 })).toMatchObject({ result: 'passed', signals: [] });
  });

  it('signals the second inbox, and adds the count from two on', () => {
    expect(recall({ previousSignups: 1, otherAddresses: 1 })).toMatchObject({
      result: 'passed',
      signals: ['device_reuse'],
    });
    expect(recall({ previousSignups: 2, otherAddresses: 1 })).toMatchObject({
      result: 'passed',
      signals: ['device_reuse', 'device_seen_2_times'],
    });
  });

  it('fails over the threshold, and says when the device was seen', () => {
    const seen = Date.UTC(2026, 10, 1);
    expect(
      recall({ previousSignups: 3, otherAddresses: 3, overThreshold: true, firstSeen: seen, lastSeen: seen }),
    ).toMatchObject({
      result: 'failed',
      metadata: {
        firstSeen: '2026-11-01T00:00:00.000Z',
        lastSeen: '2026-11-01T00:00:00.000Z',
        otherAddresses: 3,
      },
    });
  });

  it('says that it only flags if client keys alone brought it over the threshold', () => {
    expect(recall({ otherAddresses: 3, overThreshold: true })).not.toHaveProperty('atMost');
    expect(recall({ otherAddresses: 3, overThreshold: true, flagsOnly: true })).toMatchObject({
      result: 'failed',
      error:
        'Device was used with 3 other addresses, too few of them confirmed by a backend, so it only flags',
      atMost: 'flag',
    });
  });

  it('signals a scripted browser without failing it', () => {
    const userAgent =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36';
    expect(deviceCheck.inspect({ ...input, userAgent })).toEqual({
      result: 'passed',
      signals: ['automated_browser'],
      metadata: { automated: true, automatedBy: 'user-agent' },
    });
  });
});

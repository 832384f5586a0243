import type { History } from '../model/history.ts';

/** History in its stored form: an array, which is shorter than the object. */
export type PackedHistory =
  | readonly [reused: 0 | 1]
  | readonly [
      reused: 0 | 1,
      previousSignups: number,
      otherAddresses: number,
      networks: number,
      overThreshold: 0 | 1,
      common: 0 | 1,
      firstSeen: number | null,
      lastSeen: number | null,
      blockedAttempts: number,
      people: number,
      confirmedPeople: number,
      flagsOnly: 0 | 1,
    ];

export function unpackHistory(packed: PackedHistory): History {
  if (packed.length === 1) return { device: null, inboxReused: packed[0] === 1 };
  const [
    reused,
    previousSignups,
    otherAddresses,
    networks,
    over,
    common,
    firstSeen,
    lastSeen,
    blocked,
    people,
    confirmedPeople,
    flagsOnly,
  ] = packed;
  return {
    device: {
      previousSignups,
      otherAddresses,
      people,
      confirmedPeople,
      blockedAttempts: blocked,
      networks,
      overThreshold: over === 1,
      flagsOnly: flagsOnly === 1,
      common: common === 1,
      firstSeen,
      lastSeen,
    },
    inboxReused: reused === 1,
  };
}

export function packHistory({ device, inboxReused }: History): PackedHistory {
  const reused = inboxReused ? 1 : 0;
  if (device === null) return [reused];
  return [
    reused,
    device.previousSignups,
    device.otherAddresses,
    device.networks,
    device.overThreshold ? 1 : 0,
    device.common ? 1 : 0,
    device.firstSeen,
    device.lastSeen,
    device.blockedAttempts,
    device.people,
    device.confirmedPeople,
    device.flagsOnly ? 1 : 0,
  ];
}

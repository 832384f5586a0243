import { expect, it } from 'vitest';
import { deviceSeenSignal, SIGNALS, signalFamily } from './signals.ts';

it('counts a signal with a number in it as one family', () => {
  expect(signalFamily(deviceSeenSignal(2))).toBe('device_seen_<N>_times');
  expect(signalFamily(deviceSeenSignal(34))).toBe('device_seen_<N>_times');
});

it.each(['rule_12_b', 'rule_7', 'device_seen_x_times', 'my_device_seen_2_times'])(
  'leaves %s as it is',
  (signal) => {
    expect(signalFamily(signal)).toBe(signal);
  },
);

it('knows the family of every signal', () => {
  for (const name of Object.keys(SIGNALS))
    expect(SIGNALS).toHaveProperty([signalFamily(name.replace('<N>', '5'))]);
});

import { expect, it } from 'vitest';
import { createBulkCheckSlots } from './bulk-check-slots.ts';

it('frees the slot of a run that is over, whatever became of its stream', () => {
  const slots = createBulkCheckSlots();
  const first = slots.acquire('jane', 1_000, 0);
  expect(() => slots.acquire('jane', 1_500, 500)).toThrow('already checking');
  const second = slots.acquire('jane', 2_000, 1_000);
  // A late end of the first run does not free the second one’s slot.
  first.release();
  expect(() => slots.acquire('jane', 2_500, 1_500)).toThrow('already checking');
  second.release();
  slots.acquire('jane', 3_000, 1_600).release();
});

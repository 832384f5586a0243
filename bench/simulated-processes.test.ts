import { expect, it } from 'vitest';
import { type Scene, simulate } from './simulated-processes.ts';

const SCENE: Scene = {
  batchMs: 2,
  requestMs: 0.1,
  flushMs: 0.2,
  ownBatchMs: 0.2,
  ownRequestMs: 0.1,
  syncMs: 3,
  tripMs: 0.5,
  processes: 1,
  cores: 16,
  together: false,
  early: true,
  load: { inFlight: 1 },
};

it('a lone request takes the sum of its parts', () => {
  const { perSecond, perBatch } = simulate(SCENE);
  expect(perBatch).toBe(1);
  expect(perSecond).toBeCloseTo(1_000 / (0.2 + 0.1 + 0.5 + 2 + 0.1 + 3), -1);
});

it('batches that wait for the row let the next one go: it is locked for the work, not for the sync', () => {
  const crowded: Scene = { ...SCENE, processes: 64, load: { inFlight: 64 } };
  expect(simulate({ ...crowded, early: false }).perSecond).toBeCloseTo(1_000 / 5.1, -1);
  expect(simulate(crowded).perSecond).toBeCloseTo(1_000 / 2.1, -1);
});

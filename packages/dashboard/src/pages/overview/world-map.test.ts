import { expect, it } from 'vitest';
import { shade } from './world-map.tsx';
import { WORLD_SHAPES } from './world-shapes.ts';

it('shades a country by its order of magnitude, and one validation can still be seen', () => {
  expect(shade(1, 1)).toBe(1);
  expect(shade(10_000, 10_000)).toBe(1);
  expect(shade(1, 10_000)).toBeGreaterThan(0.3);
  expect(shade(100, 10_000)).toBeGreaterThan(shade(10, 10_000));
});

it('has the outlines of countries by their codes', () => {
  const codes = Object.keys(WORLD_SHAPES).filter((code) => /^[A-Z]{2}$/.test(code));
  expect(codes.length).toBeGreaterThan(170);
  for (const code of ['NZ', 'US', 'DE', 'IN', 'BR', 'XK']) expect(codes).toContain(code);
  const rings = Object.values(WORLD_SHAPES).flatMap((path) => path.split('M').slice(1));
  const steps = rings.flatMap((ring) => ring.slice(ring.indexOf('l')).match(/-?\d+/g) ?? []);
  // No step is so long that it would cross the map.
  expect(Math.max(...steps.map((step) => Math.abs(Number(step))))).toBeLessThan(150);
  for (const path of Object.values(WORLD_SHAPES)) expect(path).toMatch(/^(M\d+ \d+l[-\d ]+z)+$/);
});

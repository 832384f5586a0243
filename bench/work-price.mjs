// What the step-up `work` costs a bot that computes natively: node bench/work-price.mjs [dollars for a core-hour]
import { pbkdf2Sync, randomBytes } from 'node:crypto';

/** As in packages/service/src/step-up/work.ts: the most counters of each effort. On average three quarters are tried. */
const STEPS = { low: 300, normal: 1_500, high: 5_000, 'high, in a campaign': 15_000 };
const ITERATIONS = 1_000;
const MEASURED_MS = 5_000;
const dollarsAnHour = Number(process.argv[2] ?? 0.01);

const [password, salt] = [randomBytes(20), randomBytes(16)];
const end = performance.now() + MEASURED_MS;
let derived = 0;
for (; performance.now() < end; derived += 1) pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
const aSecond = derived / (MEASURED_MS / 1_000);

console.log(`One core derives ${Math.round(aSecond)} keys a second; a core-hour at $${dollarsAnHour}.`);
for (const [effort, most] of Object.entries(STEPS)) {
  const seconds = (most * 0.75) / aSecond;
  const thousand = (seconds * 1_000 * dollarsAnHour) / 3_600;
  console.log(
    `${effort.padEnd(20)} ${seconds.toFixed(2)} core-seconds each, $${thousand.toFixed(4)} a thousand`,
  );
}

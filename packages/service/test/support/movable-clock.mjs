// Loaded before the service, for tests with a wrong clock. The first SIGWINCH sets it back by a day, the next one
// forward by a day, or as the milliseconds in CLOCK_SHIFTS say. Each change is printed to standard output.
const DAY_MS = 86_400_000;
const System = Date;
const shifts = process.env.CLOCK_SHIFTS?.split(',').map(Number) ?? [-DAY_MS, DAY_MS];
let shiftMs = 0;

globalThis.Date = class MovedDate extends System {
  constructor(...given) {
    if (given.length === 0) super(System.now() + shiftMs);
    else super(...given);
  }

  static now() {
    return System.now() + shiftMs;
  }
};

process.on('SIGWINCH', () => {
  shiftMs = shifts.shift() ?? 0;
  process.stdout.write(`the clock is off by ${shiftMs}\n`);
});

// Loaded before the service, for tests that need days to pass. The clock begins with the first of the shifts in
// POSTERN_TEST_CLOCK_SHIFTS (milliseconds, with commas between them). Each SIGWINCH goes on to the next one, which is
// printed to standard output.
const System = Date;
const shifts = (process.env.POSTERN_TEST_CLOCK_SHIFTS ?? '0').split(',').map(Number);
let shiftMs = shifts.shift() ?? 0;

globalThis.Date = class SteppedDate extends System {
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

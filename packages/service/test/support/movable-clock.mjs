// Loaded before the service, for tests of a clock that somebody puts wrong: the first SIGWINCH puts it back by a day,
// the next one ahead by a day. Each is told on standard output once it holds.
const DAY_MS = 86_400_000;
const System = Date;
const shifts = [-DAY_MS, DAY_MS];
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

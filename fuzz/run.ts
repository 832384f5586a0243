import { parseArgs } from 'node:util';
import { ALL_TARGETS } from './all-targets.ts';
import { fuzzTarget } from './fuzz-target.ts';

const HELP = `npm run fuzz -- [--minutes N] [--seed N] [--target NAME (repeatable)]

Sends changed inputs to everything that takes bytes from outside. Without a seed each run tries others; the same seed
tries the same. An input that breaks a promise is kept in fuzz/corpus and tried first from then on.
Targets: ${ALL_TARGETS.map(({ name }) => name).join(', ')}`;

/** If the heap grows by more than this, a target leaks memory. */
const MAX_HEAP_GROWTH_BYTES = 100 * 1024 * 1024;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    target: { type: 'string', multiple: true },
    help: { type: 'boolean' },
  },
});

async function main(): Promise<void> {
  if (values.help) {
    console.log(HELP);
    return;
  }
  const minutes = Number(values.minutes);
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  const targets = ALL_TARGETS.filter(({ name }) => values.target?.includes(name) ?? true);
  if (!(minutes > 0) || !Number.isInteger(seed) || targets.length === 0) {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  console.log(`Seed ${seed}, ${minutes} minutes for ${targets.length} targets`);
  for (const target of targets) {
    const end = performance.now() + (minutes * 60_000) / targets.length;
    const { inputs, heapGrowth } = await fuzzTarget(target, { seed, goOn: () => performance.now() < end });
    const grown = `${Math.round(heapGrowth / 1024 / 1024)} MB more heap`;
    console.log(`${target.name.padEnd(20)} ${String(inputs).padStart(9)} inputs, ${grown}`);
    if (heapGrowth > MAX_HEAP_GROWTH_BYTES) throw new Error(`${target.name} keeps memory: ${grown}`);
  }
  console.log('No failures.');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

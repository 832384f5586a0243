/**
 * `node scripts/try.mjs NAME [PART…]`: what is too slow for `npm test`, or depends too much on the npm registry. Everything is
 * installed in folders outside of the checkout, as a user would.
 */
import './typescript.mjs';

const TRIALS = {
  installs: 'every SDK with each package manager',
  runtimes: 'the server SDK in workerd, Deno and Bun',
  adapters: 'server adapters in frameworks that no example app has',
  frameworks: 'the example apps, in a browser with and without JavaScript',
  'first-form': 'the README in a fresh clone, in less than five minutes',
};
const [name, ...asked] = process.argv.slice(2);
if (TRIALS[name] === undefined) {
  const lines = Object.entries(TRIALS).map(([trial, what]) => `  ${trial.padEnd(12)}${what}`);
  console.error(`node scripts/try.mjs NAME [PART…]\n${lines.join('\n')}`);
  process.exit(2);
}

/** `parts` are tried one after the other, each by its name. `open` gives what all of them need, and how to end it. */
const { parts, open, tryPart } = await import(`./try/${name}.mjs`);
const wanted = asked.length === 0 ? parts : asked;
const unknown = wanted.filter((part) => !parts.includes(part));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${parts.join(', ')}`);
  process.exit(2);
}
const context = await open?.();
try {
  for (const part of wanted) {
    try {
      console.log(`${part}: ${await tryPart(part, context)}`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${part}: ${error.stderr || error.stdout || error.stack}`);
    }
  }
} finally {
  await context?.close();
}

import { build } from './build-steps.mjs';
import { becomeTypeScript, run, say } from './checkout.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

const HELP = `npm run eval -- [--json] [--all] [--suite NAME] [--floors FILE] [--write] [--split DAY] [--names FILE] [--real FILE] [--crowds N]
Measures each check on its labelled corpus, and fails when a figure is below its floor in eval/floors.json.
  --json  one JSON document on standard output instead of the table
  --all   name every miss, not the first of them
  --suite NAME   measure one suite only
  --floors FILE  read the floors from this file
  --write        write the figures of docs/accuracy.md; without it a page that is out of date is a failure
  --split DAY    only the time split of the domain list, at this day (docs/accuracy.md explains it)
  --names FILE   judge these names instead of the bundled ones of after the day, one a line
  --crowds N     only play farms and honest crowds with N seeds; with --write into eval/crowds/tables.md, with --seed SEED others
  --real FILE    only judge these real domains, one a line, and name the ones that the shipped data accuses`;

await run(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    say(HELP);
    return;
  }
  await ensureInstalled({ dev: true });
  await ensureInstalled({ dev: false, folder: 'eval' });
  await build();
  await becomeTypeScript('eval/run.ts', args);
});

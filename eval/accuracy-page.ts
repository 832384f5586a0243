import { type Figure, ratio } from './figures.ts';
import type { Outcome } from './floors.ts';
import { OURS } from './suite.ts';
import type { TimeSplit } from './time-split.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  syntax: 'addresses that are malformed or that nobody signs up with',
  disposable: 'throwaway domains and mail hosts, beyond dispute',
  newDomains: 'throwaway domains first seen after the data’s day (below)',
  domainTypo: 'misspelt domains; only the right suggestion counts',
  roleEmail: 'local parts that stand for a function',
  randomLocalPart: 'generated local parts among people’s names',
  alias: 'variants of an inbox',
  ip: 'Tor, VPN, proxy and hosting addresses among people’s own',
  torExits: 'Tor exits of July 2026 by their networks alone, without the list of exits',
  browser: 'browsers among libraries',
  automated: 'headless and scripted browsers',
};

/** The text of docs/accuracy.md. */
export function accuracyPage(outcomes: ReadonlyMap<string, Outcome>, split: TimeSplit): string {
  return `# Accuracy

<!-- Written by \`npm run eval -- --write\`. \`npm run eval\` fails when this page is out of date. -->

Measured with the bundled data only, without feeds and without DNS, as on a machine without internet. Every
figure can be measured again with \`npm run eval\`; [eval/README.md](../eval/README.md) says where each corpus comes from.

| suite | what is looked for | precision | recall |
|---|---|---|---|
${[...outcomes].map(suiteRow).join('\n')}

The corpora were written by people who know the rules, so a figure near 100% only shows that nothing got worse. \`newDomains\`
and \`torExits\` test what the data did not contain yet. Of \`torExits\`, 89.4% were found by networks chosen in February;
23 small hosts were added after we looked at the misses.

## Throwaway domains that no list had yet

Lists lag behind, so the question is whether a check finds a domain on the day it is first used. The **time split**
answers it:

1. Choose a day, here **${split.split}**.
2. Compile the domain list from what was known on that day: ${split.sources.join(', ')}. A bundled source with newer
   content is left out whole. Of \`castle-history.tsv\`, which has the first day of each name, only names up to that day
   are used.
3. Judge the **${count(split.later.length)}** names whose first day is later. Count each by what found it.
4. Judge ${count(split.real.length)} real domains (universities and schools, brands) with the guard that protects them
   switched off. A rule that accuses one of these would also accuse other real domains.

| found by | names found | share | real domains accused, guard off |
|---|---|---|---|
${split.rules.map((rule) => ruleRow(rule, split)).join('\n')}
| **all together** | **${count(split.later.length - split.missed.length)}** | **${percent(split.later.length - split.missed.length, split.later.length)}** | **${accusedOf(split)}** |

\`sources\` are names that another list already had, and names under them. The other rows are the rules that
\`metadata.rule\` names; [data-sources.md](data-sources.md) explains each. With the guard on, none of the real domains is
accused. The figure understates what an installation finds: the two largest bundled sources are newer than the
day and left out, feeds are off, and mail hosts, which need DNS, are not looked at.

To repeat it on another day, or with your own list of names first seen after that day, one per line:

\`\`\`sh
npm run eval -- --split 2026-07-01
npm run eval -- --split 2026-07-19 --names my-new-domains.txt
\`\`\`

A rule is kept if it finds names that nothing else finds and accuses almost no real domain. Whole endings, digits on
cheap endings and a model of characters accused too many and are not used. The figures of the rules are a little too good, because their
authors had seen names from after the day. The row \`sources\` does not, and a list of your own is the best judge.
`;
}

function suiteRow([suite, outcome]: [string, Outcome]): string {
  const what = MEANINGS[suite] ?? '';
  if ('missing' in outcome) return `| \`${suite}\` | ${what} | not measured | not measured |`;
  const figures = outcome.scores.find(({ contestant }) => contestant === OURS)?.figures ?? {};
  return `| \`${suite}\` | ${what} | ${shown(figures.precision)} | ${shown(figures.recall)} |`;
}

function ruleRow({ rule, found, accused }: TimeSplit['rules'][number], { later }: TimeSplit): string {
  const named = accused.length === 0 ? '0' : `${accused.length} (${accused.slice(0, 3).join(', ')})`;
  return `| \`${rule}\` | ${count(found)} | ${percent(found, later.length)} | ${named} |`;
}

/** The result of a time split, for the terminal. */
export function splitTable(split: TimeSplit): string {
  const found = split.later.length - split.missed.length;
  return [
    `Data as of ${split.split}: ${split.sources.join(', ')}`,
    `${found} of ${split.later.length} names found (${percent(found, split.later.length)}), ${accusedOf(split)} of ${split.real.length} real domains accused without the guard`,
    ...split.rules.map(
      (rule) => `  ${rule.rule.padEnd(22)}${rule.found} found, ${rule.accused.length} accused`,
    ),
  ].join('\n');
}

const accusedOf = ({ rules }: TimeSplit): number =>
  rules.reduce((sum, { accused }) => sum + accused.length, 0);
const count = (number: number): string => number.toLocaleString('en-US');
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)}%`;

function shown(figure: Figure | undefined): string {
  return figure === undefined ? '' : `${(100 * ratio(figure)).toFixed(1)}% (${figure.hits} of ${figure.of})`;
}

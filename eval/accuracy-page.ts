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
  countedSignals: 'sign-ups of campaigns among invented ones of real names (below)',
  alias: 'variants of an inbox',
  ip: 'Tor, VPN, proxy and hosting addresses among people’s own',
  torExits: 'Tor exits of July 2026 by their networks alone, without the list of exits',
  residential: 'home and mobile addresses (below)',
  browser: 'browsers among libraries',
  automated: 'headless and scripted browsers',
};

/** The text of docs/accuracy.md. */
export function accuracyPage(
  outcomes: ReadonlyMap<string, Outcome>,
  { shown: split, all }: { readonly shown: TimeSplit; readonly all: readonly TimeSplit[] },
): string {
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

The figure depends on the day, because each day leaves in other sources and is followed by other campaigns. The last row
is nearest to what is shipped: four of the five bundled sources are in it.

| day | sources from before it | names first seen later | found |
|---|---|---|---|
${all.map(dayRow).join('\n')}

To repeat it on another day, or with your own list of names first seen after that day, one per line:

\`\`\`sh
npm run eval -- --split 2026-07-01
npm run eval -- --split 2026-07-19 --names my-new-domains.txt
\`\`\`

A rule is kept if it finds names that nothing else finds and accuses almost no real domain. A new rule is
chosen on names from before the day. These were measured in November 2026 and are not used:

| rule | names of 26 May to 15 June found in addition | names from after 15 June | why not |
|---|---|---|---|
| whole endings (\`cfd\`, \`sbs\`, \`icu\`, \`cyou\`) | 1.8% | 1.8% | accuses 52 of 44,000 sites |
| two digits or more at the end, on cheap endings | 0.5% | 1.8% | accuses 159 of 44,000 sites |
| the same label under another ending that a curated source lists | 0.7% | 0.6% | accuses real brands (cloudfoundry.org, huggingface.co) |
| the same label with another number | 0.1% | 0.3% | two campaigns; accuses three free providers |
| a letter three times at the beginning or the end | 0% | 1.8% | one campaign of two days; nothing before it |
| long word and \`mail\` under \`com\` and \`ru\` | 1.0% | 0.9% | accuses 82 free providers |
| \`mail\` or \`edu\` in front of an unlisted domain | 0.4% | 0.9% | accuses universities |
| every name under \`edu.kg\` | 0.1% | 0.9% | it is a university’s suffix |
| the domain above a single listed name | 0.1% | 0.1% | finds almost nothing |

A model of characters gained 2.2 points and accused 1 real domain in 1,000. The figures of the rules are a little too good, because their
authors had seen names from after the day. This does not affect the row \`sources\`. A list of your own is the best test.

To see whether real domains are accused, judge a list of your own, for example the domains of your customers:

\`\`\`sh
npm run eval -- --real my-customers-domains.txt
\`\`\`

No ranking of popular domains comes with an npm package under a licence that fits, so the rate among popular domains is not
measured here. [eval/README.md](../eval/README.md#real-domains) has what was measured on other lists.

## IP addresses

| what | how | IPv4 | IPv6 |
|---|---|---|---|
| people in the large access networks who fail | the first and the middle address of every range that they announce | ${failing(outcomes, 'ipv4Spared')} | ${failing(outcomes, 'ipv6Spared')} |
| people in other networks with an access network’s name | the same; looked through by hand, the failing ones are hosts and VPN companies with such a name | ${failing(outcomes, 'namedIpv4Spared')} | ${failing(outcomes, 'namedIpv6Spared')} |
| hosting, VPN and Tor found | addresses inside published ranges (\`ip\`) | ${found(outcomes, ['hosting', 'vpn', 'tor'])}, IPv6 included | right about ${figureOf(outcomes, 'ip', 'ipv6').hits} of ${figureOf(outcomes, 'ip', 'ipv6').of} addresses of all kinds |
| Tor exits found without their list | \`torExits\` | ${shown(figureOf(outcomes, 'torExits', 'recall'))} | not measured: the list of exits has none |

The one range in an access network that fails belongs to a VPN company, for which the access network announces it. Exits of
the bundled list that run at home count as Tor. VPN servers and hosts that the data has not seen cannot be measured without their lists;
[eval/ip](../eval/ip/README.md) has what was measured once: 95.6% of VPN networks.

## Signals that are counted

The sign-ups are invented, because those of real people cannot be published: ${count(entriesOf(outcomes, 'countedSignals'))} in three days and three projects (2, 40 and
600 an hour), with real names, quiet nights and an hour of news with ten times as many. Campaigns of 100 sign-ups within an hour are added.
A burst needs 20 before it, so 80% is the most that can be found of three of them. How people spread over networks, providers and
spellings is an estimate (\`eval/suites/counted-signals.ts\`), so these figures say less than those of your own project.

| campaign | found |
|---|---|
${CAMPAIGNS.map((name) => `| ${name} | ${shown(figureOf(outcomes, 'countedSignals', name))} |`).join('\n')}
| ordinary sign-ups with such a signal | ${failing(outcomes, 'peopleSpared', 'countedSignals')} |

\`random_local_part\` is measured on given and family names of many languages, alone and combined: ${failing(outcomes, 'peopleSpared', 'randomLocalPart')} look random.
The goal is at most 1 in 2,000.
`;
}

function suiteRow([suite, outcome]: [string, Outcome]): string {
  const what = MEANINGS[suite] ?? '';
  if ('missing' in outcome) return `| \`${suite}\` | ${what} | not measured | not measured |`;
  const figures = outcome.scores.find(({ contestant }) => contestant === OURS)?.figures ?? {};
  return `| \`${suite}\` | ${what} | ${shown(figures.precision)} | ${shown(figures.recall)} |`;
}

const CAMPAIGNS = [
  'one network',
  'word and digits at gmail.com',
  'word and digits at own domain',
  'new names under one domain',
];

function figureOf(outcomes: ReadonlyMap<string, Outcome>, suite: string, name: string): Figure {
  const outcome = outcomes.get(suite);
  const scores = outcome === undefined || 'missing' in outcome ? [] : outcome.scores;
  return scores.find(({ contestant }) => contestant === OURS)?.figures[name] ?? { hits: 0, of: 0 };
}

function entriesOf(outcomes: ReadonlyMap<string, Outcome>, suite: string): number {
  const outcome = outcomes.get(suite);
  return outcome === undefined || 'missing' in outcome ? 0 : outcome.entries;
}

/** How many of those that should be spared are not. */
function failing(outcomes: ReadonlyMap<string, Outcome>, name: string, suite = 'residential'): string {
  const { hits, of } = figureOf(outcomes, suite, name);
  return `${count(of - hits)} of ${count(of)}`;
}

function found(outcomes: ReadonlyMap<string, Outcome>, kinds: readonly string[]): string {
  return kinds
    .map((kind) => {
      const { hits, of } = figureOf(outcomes, 'ip', kind);
      return `${kind} ${hits} of ${of}`;
    })
    .join(', ');
}

function dayRow({ split, sources, later, missed }: TimeSplit): string {
  const names = sources.map((source) => source.replace(/ \(.*\)$/, '')).join(', ');
  return `| ${split} | ${names} | ${count(later.length)} | ${percent(later.length - missed.length, later.length)} |`;
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

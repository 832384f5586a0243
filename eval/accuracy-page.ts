import { readFileSync } from 'node:fs';
import { type Figure, ratio, rest } from './figures.ts';
import type { Measured } from './floors.ts';
import { OURS } from './suite.ts';
import { count, type TimeSplits, timeSplitSection } from './time-split-page.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  syntax: 'addresses that are malformed or that nobody signs up with',
  disposable: 'throwaway domains and mail hosts, beyond dispute',
  newDomains: 'throwaway domains first seen after the data’s day (below)',
  domainTypo: 'misspelt domains; only the right suggestion counts',
  randomTypos: 'one slip made by chance in each mail domain that the check knows (below)',
  roleEmail: 'local parts that stand for a function',
  randomLocalPart: 'generated local parts among people’s names',
  countedSignals: 'sign-ups of campaigns among invented ones of real names (below)',
  crowds: 'farms within their goal, and people in honest crowds, in invented projects (below)',
  alias: 'variants of an inbox',
  ip: 'Tor, VPN, proxy and hosting addresses among people’s own',
  torExits: 'Tor exits of July 2026 by their networks alone, without the list of exits',
  residential: 'home and mobile addresses (below)',
  browser: 'browsers among libraries',
  automated: 'headless and scripted browsers',
};

/** What the authors of the rules had seen of a corpus before the figure was measured. */
const SEEN: Readonly<Record<string, string>> = {
  newDomains: 'names: partly, by the authors of the rules; lists: no',
  randomTypos: 'yes; 83.4% before rules for endings that do not exist, 86.8% before the last three',
  randomLocalPart: 'yes; two letter pairs and the threshold were changed after it',
  countedSignals: 'yes; invented by us',
  crowds: 'the kinds yes, invented by us; the seeds of the tables no',
  torExits: 'yes; 23 small hosts were added after it, 89.4% before',
  residential: 'yes; those that fail were looked through',
};
const WRITTEN_BY_US = 'yes; written by us, and misses were mended';

/** The text of docs/accuracy.md. */
export function accuracyPage(measured: ReadonlyMap<string, Measured>, splits: TimeSplits): string {
  return `# Accuracy

<!-- Written by \`npm run eval -- --write\`. \`npm run eval\` fails when this page is out of date. -->

Measured with the bundled data only, without feeds and without DNS, as on a machine without internet. Every
figure can be measured again with \`npm run eval\`; [eval/README.md](../eval/README.md) says where each corpus comes from.

| suite | what is looked for | found | others wrongly found | misses looked at before this figure |
|---|---|---|---|---|
${[...measured].map(suiteRow).join('\n')}

**found** is the share of what should be found. **others wrongly found** is the share of the rest that the check accuses, which
is what a real person would suffer. We give no precision: it depends on how many bad entries a corpus has, and yours has
another mix. Where the last column says yes, the figure only shows that nothing got worse, and not how the check does on data
that we have not seen. In \`torExits\` the others are people’s addresses in the large access networks; of the servers in \`ip\`,
${failing(measured, 'serversNotTor', 'torExits')} are called Tor.

${timeSplitSection(splits)}
## Misspelt domains

Nobody chose the slips of \`randomTypos\`: two letters swapped, one left out, one twice, or a neighbouring key, at a random place. The
others are universities, brands and mail providers. Names of five letters or more: ${shown(figureOf(measured, 'randomTypos', 'longNames'))}; shorter ones:
${shown(figureOf(measured, 'randomTypos', 'shortNames'))}, because one slip in \`cox.net\` or \`web.de\` mostly makes somebody else’s domain.

## IP addresses

| what | how | IPv4 | IPv6 |
|---|---|---|---|
| people in the large access networks who fail | the first and the middle address of every range that they announce | ${failing(measured, 'ipv4Spared')} | ${failing(measured, 'ipv6Spared')} |
| people in other networks with an access network’s name | the same; looked through by hand, the failing ones are hosts and VPN companies with such a name | ${failing(measured, 'namedIpv4Spared')} | ${failing(measured, 'namedIpv6Spared')} |
| hosting, VPN and Tor found | addresses inside published ranges (\`ip\`) | ${found(measured, ['hosting', 'vpn', 'tor'])}, IPv6 included | right about ${figureOf(measured, 'ip', 'ipv6').hits} of ${figureOf(measured, 'ip', 'ipv6').of} addresses of all kinds |
| Tor exits found without their list | \`torExits\` | ${shown(figureOf(measured, 'torExits', 'recall'))} | not measured: the list of exits has none |

The one range in an access network that fails belongs to a VPN company, for which the access network announces it. Exits of
the bundled list that run at home count as Tor. VPN servers and hosts that the data has not seen cannot be measured without their lists;
[eval/ip](../eval/ip/README.md) has what was measured once: 95.6% of VPN networks, and 85 to 88% of hosting ranges. Most of the others belong to access networks, carriers and
companies’ gateways that the list of ranges contains too; without these it is 95%.

## Signals that are counted

The sign-ups are invented, because those of real people cannot be published: ${count(entriesOf(measured, 'countedSignals'))} in three days and three projects (2, 40 and
600 an hour), with real names, quiet nights and an hour of news with ten times as many. Campaigns of 100 sign-ups within an hour are added.
A burst needs 20 before it, so 80% is the most that can be found of three of them. How people spread over networks, providers and
spellings is an estimate (\`eval/suites/counted-signals.ts\`), so these figures say less than those of your own project.

| campaign | found |
|---|---|
${CAMPAIGNS.map((name) => `| ${name} | ${shown(figureOf(measured, 'countedSignals', name))} |`).join('\n')}
| ordinary sign-ups with such a signal | ${failing(measured, 'spared', 'countedSignals')} |

\`random_local_part\` is measured on given and family names of many languages, alone and combined: ${failing(measured, 'spared', 'randomLocalPart')} look random.
The goal is at most 1 in 2,000.

## Farms and honest crowds

\`npm run eval -- --crowds N\` plays sign-up farms and honest crowds for 44 days in projects of 10, 100 and 1,000 sign-ups a day, with a clock
of its own, through the code that settles and judges requests, with the default policy. Each run has ordinary people, some crowds and one farm
or none; paces, sizes, names and devices differ by seed. How many people share a fingerprint, a carrier’s gateway or a forwarder is our
estimate: nobody has measured it. We invented the farms and the crowds as well as the rules, so the tables show that the rules do what
they are meant to, not that the world is like this. \`npm run eval\` plays a smaller set.

<!-- crowds -->
${readFileSync(new URL('./crowds/tables.md', import.meta.url), 'utf8').trim()}
<!-- /crowds -->
`;
}

function suiteRow([suite, result]: [string, Measured]): string {
  const what = MEANINGS[suite] ?? '';
  if ('missing' in result) return `| \`${suite}\` | ${what} | not measured | not measured | |`;
  const figures = result.scores.find(({ contestant }) => contestant === OURS)?.figures ?? {};
  const { recall, spared } = figures;
  const seen = SEEN[suite] ?? WRITTEN_BY_US;
  return `| \`${suite}\` | ${what} | ${shown(recall)} | ${wronglyFound(spared)} | ${seen} |`;
}

const CAMPAIGNS = [
  'one network',
  'word and digits at gmail.com',
  'word and digits at own domain',
  'new names under one domain',
];

function figureOf(measured: ReadonlyMap<string, Measured>, suite: string, name: string): Figure {
  const result = measured.get(suite);
  const scores = result === undefined || 'missing' in result ? [] : result.scores;
  return scores.find(({ contestant }) => contestant === OURS)?.figures[name] ?? { hits: 0, of: 0 };
}

function entriesOf(measured: ReadonlyMap<string, Measured>, suite: string): number {
  const result = measured.get(suite);
  return result === undefined || 'missing' in result ? 0 : result.entries;
}

/** How many of those that should be spared are not. */
function failing(measured: ReadonlyMap<string, Measured>, name: string, suite = 'residential'): string {
  const { hits, of } = figureOf(measured, suite, name);
  return `${count(of - hits)} of ${count(of)}`;
}

function found(measured: ReadonlyMap<string, Measured>, kinds: readonly string[]): string {
  return kinds
    .map((kind) => {
      const { hits, of } = figureOf(measured, 'ip', kind);
      return `${kind} ${hits} of ${of}`;
    })
    .join(', ');
}

function shown(figure: Figure | undefined): string {
  return figure === undefined ? '' : `${(100 * ratio(figure)).toFixed(1)}% (${figure.hits} of ${figure.of})`;
}

function wronglyFound(spared: Figure | undefined): string {
  if (spared === undefined) return '';
  const { hits, of } = rest(spared);
  return `${count(hits)} of ${count(of)}`;
}

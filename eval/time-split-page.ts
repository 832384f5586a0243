import { allTogether, listAlone } from './loss-by-age.ts';
import { HINTS, type Hint, type LaterName, type TimeSplit } from './time-split.ts';

export interface TimeSplits {
  readonly shown: TimeSplit;
  readonly all: readonly TimeSplit[];
}

/** The part of docs/accuracy.md about domains that are newer than the data. */
export function timeSplitSection({ shown: split, all }: TimeSplits): string {
  const { onAList, onNoList } = groupsOf(split.later);
  return `## Throwaway domains first seen after the data’s day

Lists lag behind, so the question is whether a check finds a domain on the day it is first used. The **time split**
answers it:

1. Choose a day, here **${split.split}**.
2. Compile the domain list from what was known on that day: ${split.sources.join(', ')}. A bundled source with newer
   content is left out whole. Of \`castle-history.tsv\`, which has the first day of each name, only names up to that day
   are used.
3. Judge the **${count(split.later.length)}** names whose first day is later. Keep those that another list had on that day apart from
   those that none had, because finding the first only needs the list.
4. Judge ${count(split.real.length)} real domains (universities and schools, brands) with the guard that protects them
   switched off. A rule that accuses one of these would also accuse other real domains.

| names first seen after ${split.split} | names | found | share |
|---|---|---|---|
${groupRow('on another list that day, or under a name on it', onAList)}
${groupRow('on no list', onNoList)}
${groupRow('all', split.later)}

Too few sources had the listed names that are not found. What finds the names:

| found by | names found | share of all | real domains accused, guard off |
|---|---|---|---|
${split.rules.map((rule) => ruleRow(rule, split)).join('\n')}
| **all together** | **${count(found(split.later))}** | **${percent(found(split.later), split.later.length)}** | **${accusedOf(split)} of ${count(split.real.length)}** |

\`sources\` are names on another list, and names under them. The other rows are the rules that
\`metadata.rule\` names; [data-sources.md](data-sources.md) explains each. With the guard on, none of the real domains is
accused; that only shows that the guard works, because they are on it. An installation finds more: the two largest bundled
sources are newer than the day and left out, feeds are off, and mail hosts, which need DNS, are not looked at.

Of the names on no list that nothing finds, ${count(hinted(onNoList))} pass with a signal that only the name gives. A policy can flag
these signals: then ${percent(found(onNoList) + hinted(onNoList), onNoList.length)} of the names on no list are at least flagged. They are off by default:

| signal | names on no list that nothing finds | real domains, guard off | of 22,965 sites that ad filters treat |
|---|---|---|---|
${HINTS.map((hint) => hintRow(hint, onNoList, split)).join('\n')}

The real domains and the sites say little about small shops and companies, which have cheap endings more often than these.

The figure depends on the day, because each day leaves in other sources and is followed by other campaigns. By the
month in which a name was first seen:

| data as of | sources from before it | first seen in | names | found | on no list | found of these | with these signals |
|---|---|---|---|---|---|---|---|
${all.flatMap(monthRows).join('\n')}

The history is of 11 May to 19 July 2026, so May and July are not whole, and a row with the month of the data’s day has only
the days after it. Rows of the same month and with the same sources differ only in the age of castle’s history, by up to 20 days. A further source gains
more. The last row is nearest to what is shipped: four of the five bundled sources are in it.

Newer lists do not find what is on no list. Measured once, on 17 November 2026, with castle’s list of the day before for each day, as
feeds have it: of the names first seen after 2026-06-15, 58.0% are found, and 37.9% of those on no list.

### What data loses with age

Of the throwaway domains that castle listed on a day, the share that data of some age finds, over the history (11 May to 19 July 2026).
The first row is castle’s list alone, for all days. The second has the other lists of that day and the rules too, for the days in the
table above; castle’s list has few names on the first of them, so it is rather too low:

| age of the data | ${listAlone()
    .map(({ days }) => (days === 1 ? '1 day' : `${days} days`))
    .join(' | ')} |
|---|${listAlone()
    .map(() => '---')
    .join('|')}|
| one list alone | ${listAlone().map(shareOf).join(' | ')} |
| with the other lists and the rules | ${allTogether(all).map(shareOf).join(' | ')} |

\`npx postern feeds doctor\` and \`/readyz\` use the second row. For networks there is no dated history, so their loss is not measured.

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

These were measured later, by their share of the names on no list that were first seen from 1 to 15 June, with castle’s history up to
31 May. Sites are names in ad filters (npm \`@adguard/dnr-rulesets\`); these counts of sites are too low, because half of the names had been
read with a letter too many:

| rule | names on no list found in addition | why not |
|---|---|---|
| a label that a curated source lists under another ending | 1.5% | accuses apple.com, nodejs.org and 78 more of the real domains |
| the same, both endings cheap or new | 0.5% | 27 of the real domains |
| a label that a curated source lists, with another number | 0.1% | 14 of 70,500 sites |
| six letters at the beginning or end that three curated names share and no real domain has | 0.9% | 6 of 70,500 sites; the families change within weeks |
| digits among the letters of a subdomain | 0% (1.3% in May) | 127 sites and 18 of the real domains |
| a subdomain of four consonants or more | 0% (0.3% in May) | 516 sites and 195 of the real domains |
| a label of seven letters or more that castle listed by the day before under another ending (names of 26 May to 15 June) | 1.4% | 15 of the real domains and providers, such as flutter.dev and yahoomail.com |
| the same, with other digits in it | 0.2% | 6 of them, such as get-mail.eu |
| the first eight letters of a label of ten or more that castle listed by the day before (same names) | 0.6% | 19 of them, foundations and schools |

These were measured with the sites read properly: 104,898 registered domains that no source lists, one half to train or choose with, the
other half to judge. “Real” are the universities and brands, also one half for the model. The names are those on no list that nothing
finds yet, as shares of all names on no list:

| rule | names of 1 to 15 June | names from after 15 June | sites accused | real accused |
|---|---|---|---|---|
| logistic model of the name: hashed runs of 2 to 4 letters, ending, length, digits, hyphens, vowels; trained on castle up to the day before | 1.0% | 0.9% | 5 of 52,449 | 3, later 0 of 9,569 |
| the same at a lower threshold | 5.2% | 4.7% | 52 | 7 |
| the same at a threshold that spares all real domains | 0.9% | 1.5% | 4, later 7 | 0 |
| the same with dictionary words as features | 1.2% | 1.3% | 5 | 3, later 2 |
| the same with 25,000 older names of two other lists | | 1.9% | 5 | 2 |
| the same at the threshold of \`cheap_ending\` (2% of the sites) | 16.0% | 19.6% | 1,048 | 164, later 162 |
| one letter away from a listed label of seven letters or more | 0.7% | 1.3% | 42, later 45 | 117, later 122 |
| the same, on cheap endings | 0.1% | 0.3% | 0 | 0 |
| two dictionary words, one of them in two listed names and in no site | 0.1% | 0% | 5 | 0 |
| the same letters with another number, two of them listed | 0.1% | 0.2% | 0 | 6 |
| a label that is listed under two endings | 0.2% | 0.2% | 3 | 5, later 17 |
| cheap ending and a digit | 1.0% | 4.2% | 294 of 1,288 with such an ending | 0 |
| cheap ending and 16 letters or more | 0.8% | 2.6% | 39 | 0 |
| cheap ending and four letters or fewer | 0.8% | 0.6% | 119 | 7 |
| cheap ending and four consonants in a row | 1.8% | 2.8% | 99 | 1 |
| cheap ending and no dictionary word | 6.1% | 7.9% | 385 | 9 |
| two dictionary words on a cheap ending | 1.4% | 1.0% | 139 | 4 |
| any cheap ending, as the signal \`cheap_ending\` says | 18.4% | 20.3% | 1,288 | 35 |

Among the sites that the model is surest about are fastmail.com, startmail.com, capcut.com and mail.com. As a hint it is worth no more
than the ending alone, so it is not used.

These were measured last, on 18 November 2026, in the same way. Sites are the 22,961 that ad filters treat and no source lists (same npm package); ad
servers and the like are not among them:

| rule | names of May | names of 1 to 15 June | names from after 15 June | sites accused | real accused |
|---|---|---|---|---|---|
| kept: \`listed-elsewhere\`, the same label listed under another ending, on a cheap ending | 0.3% | 0.5% | 0.7% | 2, with all bundled lists | 0 |
| logistic model of 23 features that can be read (ending, length, digits, words, vowels), at a threshold that accuses none of the other half of the sites | | | 0.3% | 0 of 11,480 | 0 of 10,443 |
| the same, three sites allowed | | | 2.1% | 3 | 2 |
| the same, 25 sites allowed | | | 5.4% | 25 | 5 |
| five letters that two listed names share and no site or real domain has, on cheap endings | 0% | 0.3% | 0.9% | 162 of 251,867 ad servers and sites | 0 |
| the same on all endings | 0.9% | 1.8% | 2.8% | 1,903 of these, and 163 of 2,270 providers | 0 |
| seven such letters, on cheap endings | 0% | 0.1% | 0.4% | 7 of these | 0 |
| the name of an abused service (\`capcut\`, \`veo3\`, \`chatgpt\` and others) on cheap endings | 0.2% | 0.2% | 0.6% | 0; four of the six names are one campaign | 0 |
| \`gmail\` and further letters | 0% | 0.1% | 0.1% | 0; the lists have the others | 0 |
| words of shops for accounts (\`akun\`, \`akses\`, \`premium\` and others) on cheap endings | 0.1% | 0.1% | 0.9% | 1 | 0 |
| 16 letters or more with a digit, on cheap endings | 0% | 0% | 2.1% | 3; one campaign | 0 |
| all of \`.shop\` | 3.5% | 1.6% | 4.6% | 6 | 0; no list of small shops is here to judge by |
| \`mail\` or \`inbox\` in the name, on all endings, kept as the signal \`unknown_mail_service\` | 6.7% | 2.7% | 4.6% | 46, 23 without the known providers | 62 |

### How far names go

The aims were to find 75% of the new names and 50% of those on no list, and to accuse nobody real. They are not reached:
${percent(found(split.later), split.later.length)} and ${percent(found(onNoList), onNoList.length)}. Of the ${count(onNoList.length)} names on no list

| | names | share |
|---|---|---|
| rules find | ${count(found(onNoList))} | ${percent(found(onNoList), onNoList.length)} |
| show something in the name that real domains show too (a cheap ending, a word for mail) | ${count(hinted(onNoList))} | ${percent(hinted(onNoList), onNoList.length)} |
| show nothing that we could find | ${count(unseen(onNoList))} | ${percent(unseen(onNoList), onNoList.length)} |

The last row is names such as \`brothershaircut.com\`, \`lasttea.com\` and \`ginclaw.com\`: ordinary words under ordinary endings. Some read like
businesses that gave up their domain. At least one operator uses domains that were registered years ago (pull request 1149 of
disposable-email-domains, September 2026), so the day of registration does not help either. The 50% can only be
reached by accusing the second row, and small shops and companies with it. If your project can afford to ask such people for
more, flag the two signals: ${percent(found(onNoList) + hinted(onNoList), onNoList.length)}.

Whether 75% of all new names are found mostly depends on the lists: the last row of the months above, with four of the five bundled
sources from before the day, comes near it.

A running installation sees more than the name: mail hosts, their addresses and networks, name servers and administrators that it has met at listed domains,
parking, and domains that are new to the project. How much that adds cannot be measured here, because nobody has kept the DNS of those days;
the domains of May do not have the same hosts today. Your own log shows it: compare \`disposable_infrastructure\`, \`disposable_mx\` and \`domain_new_here\` with outcomes.

The figures of the rules, and so those of names on no list, are a little too good, because their authors had seen names from after the day. This does not affect the row
\`sources\`. A list of your own is the best test.

To see whether real domains are accused, judge a list of your own, for example the domains of your customers:

\`\`\`sh
npm run eval -- --real my-customers-domains.txt
\`\`\`

No ranking of popular domains comes with an npm package under a licence that fits, so the rate among popular domains is not
measured here. [eval/README.md](../eval/README.md#real-domains) has what was measured on other lists.
`;
}

function groupsOf(names: readonly LaterName[]) {
  return {
    onAList: names.filter(({ onAList }) => onAList),
    onNoList: names.filter(({ onAList }) => !onAList),
  };
}

function groupRow(what: string, names: readonly LaterName[]): string {
  return `| ${what} | ${count(names.length)} | ${count(found(names))} | ${percent(found(names), names.length)} |`;
}

function monthRows({ split, sources, later }: TimeSplit): string[] {
  const known = sources.map((source) => source.replace(/ \(.*\)$/, '')).join(', ');
  const months = [...new Set(later.map(monthOf))].sort();
  return months.map((month) => {
    const names = later.filter((one) => monthOf(one) === month);
    const { onNoList } = groupsOf(names);
    return `| ${split} | ${known} | ${month} | ${count(names.length)} | ${percent(found(names), names.length)} | ${count(onNoList.length)} | ${percent(found(onNoList), onNoList.length)} | ${percent(found(onNoList) + hinted(onNoList), onNoList.length)} |`;
  });
}

const monthOf = ({ firstDay }: LaterName): string => firstDay?.slice(0, 7) ?? '';

function ruleRow({ rule, found: hits, accused }: TimeSplit['rules'][number], { later }: TimeSplit): string {
  const named = accused.length === 0 ? '0' : `${accused.length} (${accused.slice(0, 3).join(', ')})`;
  return `| \`${rule}\` | ${count(hits)} | ${percent(hits, later.length)} | ${named} |`;
}

/** The result of a time split, for the terminal. */
export function splitTable(split: TimeSplit): string {
  const { onAList, onNoList } = groupsOf(split.later);
  const line = (what: string, names: readonly LaterName[]) =>
    `${what.padEnd(24)}${found(names)} of ${names.length} found (${percent(found(names), names.length)})`;
  return [
    `Data as of ${split.split}: ${split.sources.join(', ')}`,
    line('on another list', onAList),
    line('on no list', onNoList),
    line('all', split.later),
    ...HINTS.map(
      (hint) =>
        `${'on no list, hinted'.padEnd(24)}${hintedBy(hint, onNoList)} more pass with ${hint}, ${split.hintedReal[hint]} of the real domains too`,
    ),
    `${accusedOf(split)} of ${split.real.length} real domains accused without the guard`,
    ...split.rules.map(
      (rule) => `  ${rule.rule.padEnd(22)}${rule.found} found, ${rule.accused.length} accused`,
    ),
  ].join('\n');
}

const shareOf = ({ share }: { readonly share: number }): string => percent(share, 1);
const found = (names: readonly LaterName[]): number => names.filter(({ rule }) => rule !== undefined).length;
const accusedOf = ({ rules }: TimeSplit): number =>
  rules.reduce((sum, { accused }) => sum + accused.length, 0);
const hinted = (names: readonly LaterName[]): number => names.filter(({ hints }) => hints.length > 0).length;
const hintedBy = (hint: Hint, names: readonly LaterName[]): number =>
  names.filter(({ hints }) => hints.includes(hint)).length;

/** Measured once, on 18 November 2026, because the sites are not part of the project. */
const SITES_HINTED: Readonly<Record<Hint, string>> = {
  cheap_ending: '772 (3.4%)',
  unknown_mail_service: '23 (0.1%), newspapers most of them',
};

function hintRow(hint: Hint, names: readonly LaterName[], { real, hintedReal }: TimeSplit): string {
  const part = `${count(hintedBy(hint, names))} (${percent(hintedBy(hint, names), names.length)})`;
  return `| \`${hint}\` | ${part} | ${hintedReal[hint]} of ${count(real.length)} | ${SITES_HINTED[hint]} |`;
}

/** Neither found nor with a signal. */
const unseen = (names: readonly LaterName[]): number => names.length - found(names) - hinted(names);
export const count = (number: number): string => number.toLocaleString('en-US');
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(whole, 1)).toFixed(1)}%`;

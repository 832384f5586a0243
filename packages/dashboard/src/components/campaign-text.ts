import type { CampaignThing, CampaignThingKind, CampaignView } from '@postern/contract/dashboard';
import { count, plural, timeSpan } from './format.ts';

const NAMED = 2;

/** What is behind a campaign, in a few words: `crestomail.com, 81.2.69.0/24 and 3 more`. */
export function campaignName({ things, spread }: Pick<CampaignView, 'things' | 'spread'>): string {
  const named = things
    .filter(({ kind }) => kind !== 'shape')
    .toSorted((one, other) => rank(one) - rank(other));
  if (named.length === 0) return plural(spread.networks, 'network');
  const first = named.slice(0, NAMED).map(thingName);
  const more = named.length - first.length;
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const ORDER: readonly CampaignThingKind[] = ['domain', 'network', 'mailHost', 'device', 'shape'];
const rank = ({ kind }: CampaignThing) => ORDER.indexOf(kind);

export function thingName({ kind, name }: Pick<CampaignThing, 'kind' | 'name'>): string {
  if (kind === 'device') return `device ${name.slice(0, 8)}…`;
  return kind === 'mailHost' ? `mail host ${name}` : name;
}

/** The story in a sentence: from when to when, how many, from where, and what they were answered. */
export function campaignStory(campaign: CampaignView): string {
  const { since, lastSeen, people, spread, answers, allowedBefore } = campaign;
  const from = (['domain', 'network', 'device'] as const).map((one) => plural(spread[`${one}s`], one));
  const got =
    answers.allow === 0
      ? 'nobody got in'
      : `${count(answers.allow)} got in${allowedBefore > 0 ? `, ${count(allowedBefore)} of them before it was noticed` : ''}`;
  return `${timeSpan(since, lastSeen)}: ${plural(people, 'person', 'people')} from ${from.join(', ')}. ${count(answers.block)} blocked, ${count(answers.flag)} flagged, ${got}.`;
}

export function outcomesText({ people, good, bad }: CampaignView): string {
  if (good + bad === 0) return 'Nothing is known yet of how they turned out.';
  return `Known outcomes: ${count(bad)} bad, ${count(good)} good, ${count(people - good - bad)} not known.`;
}

import type { CampaignThing } from '@postern/contract/dashboard';
import type { CampaignPersonRow, CampaignRow } from '../store/tables/campaign-table.ts';

const NAMED = 3;
const LISTED = 50;
/** As much of a hash as tells devices apart. */
const DEVICE_LENGTH = 8;

/** The data of the event `campaign.detected`: nothing names a person. */
export function describeCampaign(
  { projectId, id, since, lastSeen, things, spread }: CampaignRow,
  people: readonly Pick<CampaignPersonRow, 'answer'>[],
  publicUrl: string,
): Readonly<Record<string, unknown>> {
  const answered = (answer: string) => people.filter((person) => person.answer === answer).length;
  const [allowed, flagged, blocked] = [answered('allow'), answered('flag'), answered('block')];
  const names = (kind: CampaignThing['kind']) =>
    things.flatMap((thing) => (thing.kind === kind ? [thing.name] : [])).slice(0, LISTED);
  const behind = [...names('domain'), ...names('mailHost'), ...names('network')];
  const from = behind.length === 0 ? `${spread.devices} devices` : behind.slice(0, NAMED).join(', ');
  const more = behind.length > NAMED ? ` and ${behind.length - NAMED} more` : '';
  return {
    campaign: id,
    since: new Date(since).toISOString(),
    lastSeen: new Date(lastSeen).toISOString(),
    people: people.length,
    ...{ allowed, flagged, blocked },
    domains: names('domain'),
    mailHosts: names('mailHost'),
    networks: names('network'),
    devices: names('device').map((hash) => `${hash.slice(0, DEVICE_LENGTH)}…`),
    shapes: names('shape'),
    page: `${publicUrl}/dashboard/projects/${encodeURIComponent(projectId)}/campaigns/${id}`,
    message: `Campaign in project ${projectId}: ${people.length} people belong together (${from}${more}). ${allowed} got in, ${flagged} were flagged, ${blocked} blocked.`,
  };
}

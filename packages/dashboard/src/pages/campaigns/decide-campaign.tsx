import type { CampaignDetail, CampaignThing } from '@postern/contract/dashboard';
import { useState } from 'react';
import { useCampaignChanges } from '../../api/campaign-queries.ts';
import { thingName } from '../../components/campaign-text.ts';
import { CheckBox } from '../../components/check-box.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { count, plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { SelectField, TextField } from '../../components/text-field.tsx';
import { useReach } from '../../components/use-reach.tsx';

interface DecideCampaignProps {
  projectId: string;
  campaign: CampaignDetail;
  action: 'block' | 'flag' | 'none';
  onClose: () => void;
}

const DAYS = [1, 7, 30, 90, 365];
/** How a list’s entry about it begins. */
const ENTRY_STARTS = { domain: '', mailHost: 'mx:', device: 'device:', network: '', shape: '' } as const;
const VERBS = { block: 'Block', flag: 'Flag' } as const;

const keyOf = ({ kind, name }: CampaignThing) => `${kind} ${name}`;
export const listable = ({ things }: CampaignDetail) => things.filter(({ kind }) => kind !== 'shape');

/** What is done about all of it, who else it hits, and one button. */
export function DecideCampaign({ projectId, campaign, action, onClose }: DecideCampaignProps) {
  const { decide } = useCampaignChanges(projectId, campaign.id);
  const things = action === 'none' ? [] : listable(campaign);
  const [left, setLeft] = useState<readonly string[]>([]);
  const [bad, setBad] = useState(action === 'none');
  const [days, setDays] = useState(things.some(({ kind }) => kind === 'network') ? '1' : '30');
  const [note, setNote] = useState('');
  const chosen = things.filter((thing) => !left.includes(keyOf(thing)));
  const unknown = campaign.people - campaign.good - campaign.bad;
  const entries = action === 'none' ? [] : chosen.map(({ kind, name }) => ENTRY_STARTS[kind] + name);
  const reach = useReach(projectId, entries, action);
  const hit = campaign.hits.people;
  const submit = () =>
    decide.mutate(
      {
        action,
        bad,
        ...(action !== 'none' && {
          days: Number(days),
          things: chosen.map(({ kind, name }) => ({ kind, name })),
          ...(note.trim() !== '' && { note: note.trim() }),
        }),
      },
      { onSuccess: onClose },
    );
  const mark = `Mark ${plural(unknown, 'person', 'people')} as bad`;
  return (
    <FormDialog
      title={action === 'none' ? 'Mark its people as bad' : `${VERBS[action]} what is behind it`}
      action={
        action === 'none'
          ? mark
          : `${VERBS[action]} ${plural(chosen.length, 'thing')}${bad ? `, ${mark.toLowerCase()}` : ''}`
      }
      busy={decide.isPending}
      disabled={action !== 'none' && !reach.ready}
      error={decide.error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      {action !== 'none' && (
        <>
          <fieldset className="grid max-h-60 gap-2 overflow-y-auto">
            <legend className="mb-1.5 text-[0.8667rem] font-medium">Whoever comes with</legend>
            {things.map((thing) => (
              <CheckBox
                key={keyOf(thing)}
                checked={!left.includes(keyOf(thing))}
                onChange={(on) =>
                  setLeft(on ? left.filter((key) => key !== keyOf(thing)) : [...left, keyOf(thing)])
                }
              >
                <span className="wrap-anywhere">{thingName(thing)}</span>{' '}
                <span className="text-faint">
                  {count(thing.people)} of it, {plural(thing.others, 'other')}
                </span>
              </CheckBox>
            ))}
          </fieldset>
          <p className="text-soft">
            {plural(chosen.length, 'entry', 'entries')} on the block list: the answer is “{action}”, whatever
            the checks find, until the entries end. An entry of the allow list that is more specific still
            decides.
          </p>
          {hit > 0 && (
            <Notice kind="warn">
              {plural(hit, 'known good person shares', 'known good people share')} one of these and will be{' '}
              {action === 'block' ? 'blocked' : 'flagged'} too.
            </Notice>
          )}
          {reach.shown}
          <SelectField
            label="Until"
            value={days}
            options={DAYS.map((each) => [String(each), `In ${plural(each, 'day')}`] as const)}
            onChange={setDays}
          />
          <TextField label="Why (optional)" maxLength={150} value={note} onChange={setNote} />
          <CheckBox checked={bad} onChange={setBad}>
            {mark}: they count as fraud in outcomes, Results and proposed rules, and leave the review queue
          </CheckBox>
        </>
      )}
      {action === 'none' && (
        <p className="text-soft">
          They count as fraud in outcomes, Results and proposed rules, and leave the review queue. People
          whose outcome is known keep it. It does not change how anybody is answered.
        </p>
      )}
      <p className="text-soft">It is one change, and Undo takes all of it back.</p>
    </FormDialog>
  );
}

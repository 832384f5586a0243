import type { ThingView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { campaignOfQuery } from '../../api/campaign-queries.ts';
import { apiUrl } from '../../api/client.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { ErasePerson } from '../../components/erase-person.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { count, plural } from '../../components/format.ts';
import { ListDialog, type ListTarget } from '../../components/list-dialog.tsx';
import { providerWarning } from '../../components/list-effect.ts';
import { useJudge } from '../../components/use-judge.ts';
import { reachText } from '../../components/use-reach.tsx';
import { Download, Eraser, Waypoints } from '../../icons.ts';
import { KINDS } from './read-things.ts';

const LISTED = {
  person: 'person',
  device: 'device',
  domain: 'domain',
  mailHost: 'entry',
  network: 'network',
  asn: 'operator',
} as const;

/** What can be done about one thing, and where else it is. */
export function ThingActions({ projectId, view }: { projectId: string; view: ThingView }) {
  const [open, setOpen] = useState<ListTarget['list'] | 'mark' | 'erase' | undefined>();
  const navigate = useNavigate();
  const may = usePermissions();
  const close = () => setOpen(undefined);
  const { kind, name, title, entry, facts } = view;
  const hashed = kind === 'person' || kind === 'device';
  return (
    <>
      {may.decide && (
        <>
          <Button onClick={() => setOpen('allowList')}>Always allow…</Button>
          <Button onClick={() => setOpen('blockList')}>Block…</Button>
          {kind !== 'person' && <Button onClick={() => setOpen('mark')}>Mark its people…</Button>}
        </>
      )}
      {kind === 'person' && may.change && (
        <>
          <a
            href={apiUrl('GET /projects/:id/people/:inbox/export', { id: projectId, inbox: name })}
            download={`person-${name.slice(0, 8)}.json`}
            className={buttonClass()}
          >
            <Download size={15} /> Export
          </a>
          <Button variant="danger" onClick={() => setOpen('erase')}>
            <Eraser size={15} /> Erase…
          </Button>
        </>
      )}
      {kind !== 'person' && kind !== 'mailHost' && (
        <Link
          to="/projects/$projectId/things/$kind"
          params={{ projectId, kind: 'person' }}
          search={{ [KINDS[kind].filter]: name }}
          className={buttonClass()}
        >
          Its people
        </Link>
      )}
      <CampaignLink projectId={projectId} of={name} />
      {(open === 'allowList' || open === 'blockList') && (
        <ListDialog
          projectId={projectId}
          target={{
            list: open,
            what: LISTED[kind],
            value: entry,
            ...(hashed && { name: title }),
            ...(facts.mailProvider === true && { warning: providerWarning(name) }),
          }}
          onClose={close}
        />
      )}
      {open === 'mark' && <MarkPeople projectId={projectId} view={view} onClose={close} />}
      {open === 'erase' && (
        <ErasePerson
          projectId={projectId}
          inbox={name}
          onClose={close}
          onErased={() => void navigate({ to: '/projects/$projectId/validations', params: { projectId } })}
        />
      )}
    </>
  );
}

/** A link to the campaign that something belongs to. Nothing while it is not known, or if it belongs to none. */
function CampaignLink({ projectId, of }: { projectId: string; of: string }) {
  const { data: campaign } = useQuery(campaignOfQuery(projectId, of));
  if (!campaign) return null;
  return (
    <Link
      to="/projects/$projectId/campaigns/$campaignId"
      params={{ projectId, campaignId: campaign.id }}
      className={buttonClass('plain')}
    >
      <Waypoints size={15} /> Campaign of {count(campaign.people)}
    </Link>
  );
}

const WHO = {
  all: 'Everybody',
  allowed: 'Only who was allowed',
  stopped: 'Only who was flagged or blocked',
} as const;
const ANSWERS = { all: undefined, allowed: ['allow'], stopped: ['flag', 'block'] } as const;
/** As many as one decision can take back. */
const MOST = 1_000;

interface MarkPeopleProps {
  projectId: string;
  view: ThingView;
  onClose: () => void;
}

/** Says of everybody who came with a thing that they are good or bad, such as of a farm’s domain. */
function MarkPeople({ projectId, view, onClose }: MarkPeopleProps) {
  const { kind, name, reach, title } = view;
  const [outcome, setOutcome] = useState<'good' | 'bad'>(reach.good > reach.bad ? 'good' : 'bad');
  const [who, setWho] = useState<keyof typeof WHO>('all');
  const judge = useJudge(projectId);
  const submit = () => {
    const answers = ANSWERS[who];
    judge.mutate(
      { of: { kind, names: [name], ...(answers && { answers: [...answers] }) }, outcome },
      { onSuccess: onClose },
    );
  };
  return (
    <FormDialog
      title={`Mark the people of ${title}`}
      action={`Mark as ${outcome}`}
      busy={judge.isPending}
      disabled={reach.people === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{reachText(reach)}</p>
      <Choice
        label="They turned out"
        value={outcome}
        options={{ bad: 'Bad', good: 'Good' }}
        onChange={setOutcome}
      />
      <Choice label="Who" value={who} options={WHO} onChange={setWho} />
      <p className="text-soft">
        {reach.people > MOST && `The newest ${plural(MOST, 'person', 'people')} at a time. `}
        What they are known to be replaces what was known before. Future answers do not change: use the lists,
        the rules or the policy for that.
      </p>
    </FormDialog>
  );
}

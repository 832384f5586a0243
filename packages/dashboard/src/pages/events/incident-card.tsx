import { DAY_MS } from '@postern/contract';
import type { IncidentChangeRequest, IncidentSource, IncidentView } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { count, plural } from '../../components/format.ts';
import { listedText } from '../../components/list-effect.ts';
import { Ago } from '../../components/time.tsx';
import { showToast } from '../../components/toasts.tsx';
import { useListChange } from '../../components/use-list-change.ts';
import { Ban, Siren } from '../../icons.ts';
import { readSurge } from './surge.ts';

const STATES: Record<IncidentView['state'], { readonly text: string; readonly tone: Tone }> = {
  open: { text: 'ongoing', tone: 'block' },
  paused: { text: 'no surge for two hours', tone: 'flag' },
  acknowledged: { text: 'acknowledged', tone: 'accent' },
  closed: { text: 'closed', tone: 'neutral' },
};

/** One incident: its surges, who is behind it, and what can be done. */
export function IncidentCard({ projectId, incident }: { projectId: string; incident: IncidentView }) {
  const { state, surges, from, to } = incident;
  const filter = filterOf(incident);
  return (
    <li className="flex min-w-0 gap-3.5 px-4 py-3.5 sm:px-5">
      <span
        className={`mt-0.5 grid size-8 shrink-0 place-items-center rounded-lg ${state === 'closed' ? 'bg-hover text-soft' : 'bg-block-soft text-block'}`}
      >
        <Siren size={16} aria-hidden="true" />
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-2.5">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>
          <span className="ml-auto text-[0.8667rem] text-soft">
            <Ago at={incident.firstAt} />
          </span>
        </p>
        <Surges projectId={projectId} surges={surges} />
        <Sources projectId={projectId} incident={incident} />
        <div className="flex flex-wrap gap-2">
          <Link
            to="/projects/$projectId/validations"
            params={{ projectId }}
            search={{ from, to, ...filter }}
            className={buttonClass('plain', true)}
          >
            Its sign-ups in the log
          </Link>
          <Link
            to="/projects/$projectId/review"
            params={{ projectId }}
            search={{ from, to, ...filter }}
            className={buttonClass('plain', true)}
          >
            Decide its flagged sign-ups
          </Link>
          <Changes projectId={projectId} incident={incident} />
        </div>
      </div>
    </li>
  );
}

const SURGES_SHOWN = 3;

/** The first ones, and the others behind a click. */
function Surges({ projectId, surges }: { projectId: string; surges: IncidentView['surges'] }) {
  const lines = (some: IncidentView['surges']) => (
    <ul className="grid gap-0.5">
      {some.map(({ id, data }) => (
        <li key={id} className="wrap-anywhere">
          {typeof data.message === 'string'
            ? data.message.replace(` in project ${projectId}`, '')
            : 'A surge of sign-ups.'}
        </li>
      ))}
    </ul>
  );
  const more = surges.length - SURGES_SHOWN;
  return (
    <div>
      {lines(surges.slice(0, SURGES_SHOWN))}
      {more > 0 && (
        <details>
          <summary className="text-soft">and {plural(more, 'more surge')}</summary>
          {lines(surges.slice(SURGES_SHOWN))}
        </details>
      )}
    </div>
  );
}

/** With one kind of culprit the log shows only theirs; with several everything of that time. */
function filterOf({ sources }: IncidentView): { domain?: string; network?: string } {
  const culprits = sources.filter(({ culprit }) => culprit);
  const networks = culprits.filter(({ kind }) => kind === 'network').map(({ name }) => name);
  const domains = culprits.filter(({ kind }) => kind === 'domain').map(({ name }) => name);
  if (networks.length > 0) return { network: networks.join(',') };
  return domains.length > 0 ? { domain: domains.join(',') } : {};
}

function Changes({ projectId, incident }: { projectId: string; incident: IncidentView }) {
  const may = usePermissions();
  const change = useChange({
    send: (body: IncidentChangeRequest) =>
      api('PATCH /projects/:id/incidents/:incidentId', { id: projectId, incidentId: incident.id }, { body }),
    invalidates: [['incidents', projectId]],
  });
  if (!may.decide) return null;
  const button = (text: string, body: IncidentChangeRequest) => (
    <Button key={text} small disabled={change.isPending} onClick={() => change.mutate(body)}>
      {text}
    </Button>
  );
  if (incident.closedAt !== null) return button('Open again', { closed: false });
  return [
    ...(incident.acknowledgedAt === null ? [button('Acknowledge', { acknowledged: true })] : []),
    button('Close', { closed: true }),
  ];
}

/** Only who is behind the incident can be blocked here, and only if that changes an answer. */
function Sources({ projectId, incident }: { projectId: string; incident: IncidentView }) {
  const surges = incident.surges.map(({ data }) => readSurge(data));
  const signals = new Map<string, number>();
  for (const { name, count: times } of surges.flatMap((surge) => [...surge.signals, ...surge.patterns]))
    signals.set(name, Math.max(signals.get(name) ?? 0, times));
  const groups = [
    { title: 'Behind it', sources: incident.sources.filter(({ culprit }) => culprit) },
    { title: 'Also there', sources: incident.sources.filter(({ culprit }) => !culprit) },
  ].filter(({ sources }) => sources.length > 0);
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {groups.map(({ title, sources }) => (
        <SourceList key={title} title={title}>
          {sources.map((source) => (
            <SourceLine key={source.kind + source.name} projectId={projectId} source={source} />
          ))}
        </SourceList>
      ))}
      {signals.size > 0 && (
        <SourceList title="Signals and patterns">
          {[...signals].map(([name, times]) => (
            <li key={name} className="flex flex-wrap items-center gap-x-2">
              <span className="min-w-0 font-mono text-[0.8333rem] wrap-anywhere">{name}</span>
              <span className="num text-soft">{count(times)}</span>
            </li>
          ))}
        </SourceList>
      )}
    </div>
  );
}

function SourceList({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line px-3 py-2">
      <h3 className="text-[0.8333rem] text-faint">{title}</h3>
      <ul className="grid gap-1.5 pt-1 text-[0.9rem]">{children}</ul>
    </section>
  );
}

function SourceLine({ projectId, source }: { projectId: string; source: IncidentSource }) {
  const { name, culprit, blocked } = source;
  const may = usePermissions();
  const change = useListChange(projectId);
  const { blockList } = useProject();
  const listed = blockList.some(
    ({ value, expiresAt }) => value === name && (expiresAt ?? Number.POSITIVE_INFINITY) > Date.now(),
  );
  const block = () =>
    change.mutate(
      {
        changes: [
          {
            list: 'blockList',
            add: { value: name, note: 'Surge of sign-ups', expiresAt: Date.now() + DAY_MS },
          },
        ],
        successText: listedText('blockList', name, 'for 24 hours'),
      },
      { onError: (error) => showToast(error.message, true) },
    );
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="min-w-0 font-mono text-[0.8333rem] wrap-anywhere">{name}</span>
      <span className="num text-soft">{count(source.count)}</span>
      {listed ? (
        <span className="text-[0.8333rem] text-soft">on the block list</span>
      ) : blocked ? (
        <span className="text-[0.8333rem] text-soft">all blocked already</span>
      ) : (
        culprit &&
        may.decide && (
          <Button small disabled={change.isPending} onClick={block}>
            <Ban size={13} aria-hidden="true" />
            <span>
              Block <span className="sr-only">{name}</span> for 24 hours
            </span>
          </Button>
        )
      )}
    </li>
  );
}

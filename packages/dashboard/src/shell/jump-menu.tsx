import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import type { SearchAnswer } from '@postern/contract/dashboard';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiUrl, postAuth } from '../api/client.ts';
import { leave } from '../api/leave.ts';
import { projectsQuery } from '../api/queries.ts';
import { rulesQuery } from '../api/rule-queries.ts';
import { useChange } from '../api/use-change.ts';
import { usePermissions } from '../api/use-session.ts';
import type { ThingName } from '../components/thing-link.tsx';
import { showToast } from '../components/toasts.tsx';
import type { Filters } from '../pages/validations/filters.ts';
import { PROJECT_TABS, WORKSPACE } from './navigation.ts';
import { applyTheme } from './theme.ts';

const THEMES = [
  ['dark', 'Dark colours'],
  ['light', 'Light colours'],
  ['system', 'Colours as the system'],
] as const;

interface Target {
  readonly key: string;
  readonly name: string;
  readonly where: string;
  readonly searchWords: string;
  readonly go: () => unknown;
}

function useTargets(): Target[] {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const { data: projects = [] } = useQuery(projectsQuery);
  const current = projects.find((project) => project.id === projectId);
  return [
    ...(projectId === undefined
      ? []
      : PROJECT_TABS.map(({ to, name, searchWords, kind = '' }) => ({
          key: to + kind,
          name,
          where: current?.name ?? projectId,
          searchWords,
          go: () => navigate({ to, params: { projectId, kind } }),
        }))),
    ...projects.map(({ id, name, archivedAt }) => ({
      key: `project-${id}`,
      name,
      where: archivedAt === null ? 'Project' : 'Archived project',
      searchWords: id,
      go: () => navigate({ to: '/projects/$projectId', params: { projectId: id } }),
    })),
    ...WORKSPACE.tabs.map(({ to, name, searchWords }) => ({
      key: `workspace-${to}`,
      name,
      where: 'Workspace',
      searchWords,
      go: () => navigate({ to }),
    })),
    {
      ...{ key: 'account', name: 'Your account', where: 'Workspace' },
      searchWords: 'password second factor totp tokens',
      go: () => navigate({ to: '/account' }),
    },
  ];
}

/** The rules of the project, by name. */
function useRules(): Target[] {
  const navigate = useNavigate();
  const { projectId = '' } = useParams({ strict: false });
  const { data: rules = [] } = useQuery({ ...rulesQuery(projectId), enabled: projectId !== '' });
  return rules.map(({ id, name }) => ({
    ...{ key: `rule-${id}`, name, where: 'Rule', searchWords: id },
    go: () => navigate({ to: '/projects/$projectId/rules/$rule', params: { projectId, rule: id } }),
  }));
}

/** What is done at once, without looking for its page. */
function useCommands(onTry: () => void): Target[] {
  const navigate = useNavigate();
  const { projectId } = useParams({ strict: false });
  const may = usePermissions();
  const signOut = useChange({ send: () => postAuth('/sign-out'), onDone: leave });
  const command = (name: string, searchWords: string, go: () => unknown): Target => ({
    ...{ key: `command-${name}`, name, where: 'Command', searchWords, go },
  });
  const log = (name: string, words: string, search: Filters) =>
    command(name, words, () =>
      navigate({
        to: '/projects/$projectId/validations',
        params: { projectId: projectId ?? '' },
        search,
      }),
    );
  const ofProject =
    projectId === undefined
      ? []
      : [
          command('Try an address', 'playground test drawer', onTry),
          log('Show what was blocked today', 'log blocks day', { recommendation: 'block', last: 'day' }),
          log('Show what was flagged today', 'log flags day', { recommendation: 'flag', last: 'day' }),
          command('Export the log as CSV', 'download', () => {
            window.location.assign(apiUrl('GET /projects/:id/validations.csv', { id: projectId }));
          }),
          ...(may.change
            ? [
                command('Write a new rule', 'create add', () =>
                  navigate({ to: '/projects/$projectId/new-rule', params: { projectId } }),
                ),
              ]
            : []),
        ];
  const themes = THEMES.map(([theme, name]) => command(name, 'theme colours mode', () => applyTheme(theme)));
  return [...ofProject, ...themes, command('Sign out', 'leave log out', () => signOut.mutate())];
}

const PART_OF_DOMAIN = /^[a-z0-9.-]{2,}$/i;

/** Looks for a person, device, domain, network or request in the project. */
function useFind(text: string): Target[] {
  const { projectId } = useParams({ strict: false });
  const navigate = useNavigate();
  const go = useGoTo(projectId ?? '');
  const find = useMutation({
    mutationFn: () => api('POST /projects/:id/search', { id: projectId ?? '' }, { body: { text } }),
    onSuccess: (answer) => (answer.kind === 'nothing' ? showToast(answer.message, true) : go(answer)),
  });
  if (projectId === undefined || text === '') return [];
  const target = { key: 'find', name: `Find “${text}”`, where: 'in this project', searchWords: text };
  const targets = [{ ...target, go: () => find.mutate() }];
  if (!PART_OF_DOMAIN.test(text)) return targets;
  const domains = {
    ...{ ...target, key: 'domains', name: `Domains with “${text}”` },
    go: () =>
      navigate({
        to: '/projects/$projectId/things/$kind',
        params: { projectId, kind: 'domain' },
        search: { domainPart: text.toLowerCase() },
      }),
  };
  return [...targets, domains];
}

/** Ctrl-K, Cmd-K or /: type a few letters of a page, a project or a command, or what to find, and press Enter. */
export function JumpMenu({ onTry, onClose }: { onTry: () => void; onClose: () => void }) {
  const [text, setText] = useState('');
  const targets = [...useTargets(), ...useRules(), ...useCommands(onTry), ...useFind(text.trim())];
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup aria-label="Jump to" className="modal jump-menu">
          <Autocomplete.Root
            open
            inline
            items={targets}
            value={text}
            onValueChange={setText}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={({ name, where, searchWords }) => `${name} ${where} ${searchWords}`}
          >
            <Autocomplete.Input
              aria-label="Jump to a page or a project, find anyone, or run a command"
              className="w-full border-b border-line bg-transparent px-4 py-3.5 outline-none placeholder:text-faint"
              placeholder="A page, a person, a command…"
            />
            <Autocomplete.Empty className="px-4 py-3 text-soft empty:hidden">
              No page, project or command has this name.
            </Autocomplete.Empty>
            <Autocomplete.List aria-label="Places" className="max-h-[50dvh] overflow-y-auto p-1.5 empty:p-0">
              {(target: Target) => (
                <Autocomplete.Item
                  key={target.key}
                  value={target}
                  className="flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 data-highlighted:bg-accent-soft"
                  onClick={() => {
                    onClose();
                    target.go();
                  }}
                >
                  <span className="truncate font-medium">{target.name}</span>
                  <span className="shrink-0 text-[0.8667rem] text-soft">{target.where}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Opens the page about what a search found. */
function useGoTo(projectId: string): (found: Exclude<SearchAnswer, { kind: 'nothing' }>) => unknown {
  const navigate = useNavigate();
  const params = { projectId };
  return (found) => {
    const thing = (of: ThingName) => navigate({ to: '/projects/$projectId/thing', params, search: of });
    const log = (search: Filters) => navigate({ to: '/projects/$projectId/validations', params, search });
    if (found.kind === 'validation') return log({ open: found.id });
    if (found.kind === 'log') return log(found.filters);
    if (found.kind === 'person') return thing({ person: found.inbox });
    if (found.kind === 'asn') return thing({ asn: String(found.asn) });
    const { kind: _kind, ...of } = found;
    return thing(of);
  };
}

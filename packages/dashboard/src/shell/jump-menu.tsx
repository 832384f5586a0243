import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { CornerDownLeft } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { projectsQuery } from '../api/queries.ts';
import { PROJECT_PLACES, WORKSPACE_PLACES } from './navigation.ts';

interface Target {
  readonly key: string;
  readonly name: string;
  readonly where: string;
  readonly words: string;
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
      : PROJECT_PLACES.map(({ to, name, words = '' }) => ({
          key: to,
          name,
          where: current?.name ?? projectId,
          words,
          go: () => navigate({ to, params: { projectId } }),
        }))),
    ...projects.map(({ id, name }) => ({
      key: `project-${id}`,
      name,
      where: 'Project',
      words: id,
      go: () => navigate({ to: '/projects/$projectId', params: { projectId: id } }),
    })),
    ...WORKSPACE_PLACES.map(({ to, name, words = '' }) => ({
      key: `workspace-${to}`,
      name,
      where: 'Workspace',
      words,
      go: () => navigate({ to }),
    })),
  ];
}

/** Ctrl-K or Cmd-K: type a few letters of a page or a project, press Enter. */
export function JumpMenu({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const id = useId();
  const wanted = text.trim().toLowerCase();
  const found = useTargets().filter((target) =>
    `${target.name} ${target.where} ${target.words}`.toLowerCase().includes(wanted),
  );
  const chosen = Math.min(index, found.length - 1);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);

  const go = (target: Target | undefined) => {
    if (target === undefined) return;
    onClose();
    target.go();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      go(found[chosen]);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setIndex((chosen + step + found.length) % Math.max(found.length, 1));
    }
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the menu is an extra; Escape is the keyboard’s way.
    <dialog
      ref={dialog}
      aria-label="Jump to"
      className="modal !mt-[12dvh]"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <input
        role="combobox"
        aria-label="Jump to a page or a project"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        className="w-full border-b border-line bg-transparent px-4 py-3.5 outline-none placeholder:text-faint"
        placeholder="Jump to a page or a project…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Places"
        className="max-h-[50dvh] overflow-y-auto p-1.5"
      >
        {found.map((target, position) => (
          <Option
            key={target.key}
            id={`${id}-${position}`}
            target={target}
            chosen={position === chosen}
            onPick={() => go(target)}
            onPoint={() => setIndex(position)}
          />
        ))}
      </div>
      {found.length === 0 && <p className="px-4 pb-4 text-soft">Nothing is called that.</p>}
    </dialog>
  );
}

interface OptionProps {
  id: string;
  target: Target;
  chosen: boolean;
  onPick: () => void;
  onPoint: () => void;
}

function Option({ id, target, chosen, onPick, onPoint }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the field above.
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      tabIndex={-1}
      className="flex cursor-pointer items-center gap-3 rounded-lg px-3 py-2 aria-selected:bg-accent-soft"
      onClick={onPick}
      onMouseMove={onPoint}
    >
      <span className="font-medium">{target.name}</span>
      <span className="truncate text-[0.8667rem] text-soft">{target.where}</span>
      {chosen && <CornerDownLeft size={14} aria-hidden="true" className="ml-auto text-faint" />}
    </div>
  );
}

import { Modal } from '../../components/modal.tsx';

const KEYS = [
  ['j', 'Next sign-up'],
  ['k', 'Previous sign-up'],
  ['a', 'Good: approve the person'],
  ['r', 'Bad: reject the person'],
  ['p', 'Pass: leave it to another member. It comes back after seven days'],
  ['u', 'Undo: take the last decision back, then the one before it'],
  ['x', 'Select the sign-up, to decide several together'],
  ['Enter', 'Leave the field of the reason; so does Esc'],
  ['?', 'Show these shortcuts'],
] as const;

export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2.5">
        {KEYS.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt>
              <Key name={key} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

export function Key({ name }: { name: string }) {
  return (
    <kbd className="inline-grid min-w-6 place-items-center rounded border border-line-strong bg-sunken px-1.5 font-mono text-[0.8rem] text-ink">
      {name}
    </kbd>
  );
}

import { useBlocker } from '@tanstack/react-router';
import { Button } from './button.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Notice } from './notice.tsx';
import type { Draft } from './use-draft.ts';

/** Asks before the page is left. Outside of forms, which would be sent with it. */
export function AskBeforeLeaving({ changed, text }: { changed: boolean; text: string }) {
  const blocked = useBlocker({
    shouldBlockFn: () => changed,
    enableBeforeUnload: () => changed,
    withResolver: true,
  });
  if (blocked.status !== 'blocked') return null;
  return (
    <FormDialog
      title="Leave the page?"
      action="Leave"
      danger
      onSubmit={blocked.proceed}
      onClose={blocked.reset}
    >
      <p>{text}</p>
    </FormDialog>
  );
}

interface ClashesProps {
  draft: Pick<Draft<unknown>, 'clashes' | 'keepMine' | 'takeTheirs'>;
  /** What a field is called. */
  label: (path: readonly string[]) => string;
}

const WRAPPED = '!shrink !whitespace-normal text-left wrap-anywhere';
const textOf = (value: unknown) => (value === undefined || value === '' ? 'none' : String(value));

/** The fields that somebody else saved meanwhile, each with both values. */
export function Clashes({ draft, label }: ClashesProps) {
  if (draft.clashes.length === 0) return null;
  return (
    <Notice kind="warn">
      <p>Somebody else saved this meanwhile. Both of you changed:</p>
      <ul className="mt-2 grid gap-2">
        {draft.clashes.map((clash) => (
          <li key={clash.path.join(' ')} className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{label(clash.path)}</span>
            <Button small className={WRAPPED} onClick={() => draft.keepMine(clash)}>
              Keep yours: {textOf(clash.mine)}
            </Button>
            <Button small className={WRAPPED} onClick={() => draft.takeTheirs(clash)}>
              Take theirs: {textOf(clash.theirs)}
            </Button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

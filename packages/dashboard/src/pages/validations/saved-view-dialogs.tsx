import type { LogFilters, SavedView, ViewAlert } from '@postern/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { usePermissions } from '../../api/use-session.ts';
import { addView, changeView, removeView } from '../../api/view-queries.ts';
import { Button } from '../../components/button.tsx';
import { CheckBox } from '../../components/check-box.tsx';
import { Modal } from '../../components/modal.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showToast, showUndo } from '../../components/toasts.tsx';
import type { Filters } from './filters.ts';
import { ViewAlertField } from './view-alert-field.tsx';

const MAX_NAME_LENGTH = 60;

interface SaveViewDialogProps {
  projectId: string;
  filters: Filters;
  onClose: () => void;
}

/** Asks for a name and saves the filters under it. */
export function SaveViewDialog({ projectId, filters, onClose }: SaveViewDialogProps) {
  const [name, setName] = useState('');
  const mayAlert = usePermissions().decide;
  const [shared, setShared] = useState(false);
  const [alert, setAlert] = useState<ViewAlert | null>(null);
  const save = useChange({
    inline: true,
    send: () => addView(projectId, { name: name.trim(), filters: filters as LogFilters, shared, alert }),
    invalidates: [['views', projectId]],
    successText: 'The view is saved.',
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal title="Save these filters" onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <TextField
          label="Name"
          required
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          value={name}
          error={save.error?.message}
          onChange={setName}
        />
        <CheckBox checked={shared} onChange={setShared}>
          Share it with everybody who can see this project
        </CheckBox>
        {mayAlert && <ViewAlertField value={alert} onChange={setAlert} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Modal>
  );
}

interface ManageViewsDialogProps {
  projectId: string;
  views: readonly SavedView[];
  onClose: () => void;
}

/** Renames and deletes views. */
export function ManageViewsDialog({ projectId, views, onClose }: ManageViewsDialogProps) {
  return (
    <Modal title="Your views" onClose={onClose}>
      {views.length === 0 ? (
        <p className="text-soft">No views are left.</p>
      ) : (
        <ul className="grid gap-3">
          {views.map((view) => (
            <li key={view.id}>
              <ViewRow projectId={projectId} view={view} />
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}

function ViewRow({ projectId, view }: { projectId: string; view: SavedView }) {
  const [name, setName] = useState(view.name);
  const [alert, setAlert] = useState(view.alert);
  const mayAlert = usePermissions().decide;
  const queryClient = useQueryClient();
  const invalidates = [['views', projectId]];
  const rename = useChange({
    inline: true,
    send: () => changeView(projectId, view.id, { name: name.trim() }),
    invalidates,
    successText: 'The view is renamed.',
  });
  const share = useChange({
    send: (shared: boolean) => changeView(projectId, view.id, { shared }),
    invalidates,
  });
  const tell = useChange({
    send: () => changeView(projectId, view.id, { alert }),
    invalidates,
    successText: 'The alert is saved.',
  });
  const restore = async () => {
    try {
      const { name: before, filters, shared, alert: told } = view;
      await addView(projectId, { name: before, filters, shared, alert: told });
    } catch (error) {
      showToast(failureText(error), true);
    }
    await queryClient.invalidateQueries({ queryKey: ['views', projectId] });
  };
  const remove = useChange({
    send: () => removeView(projectId, view.id),
    invalidates,
    onDone: () => showUndo('The view is deleted.', () => void restore()),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate();
      }}
    >
      <TextField
        label={`Name of “${view.name}”`}
        required
        maxLength={MAX_NAME_LENGTH}
        value={name}
        error={rename.error?.message}
        onChange={setName}
        beside={
          <>
            <Button type="submit" busy={rename.isPending} disabled={name.trim() === view.name}>
              Rename
            </Button>
            <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
          </>
        }
      />
      <div className="pt-1.5">
        <CheckBox
          checked={share.isPending ? share.variables : view.shared}
          onChange={(shared) => share.mutate(shared)}
        >
          Shared with everybody who can see this project
        </CheckBox>
      </div>
      {mayAlert && (
        <div className="flex flex-wrap items-center gap-2 pt-1.5">
          <ViewAlertField value={alert} onChange={setAlert} />
          {JSON.stringify(alert) !== JSON.stringify(view.alert) && (
            <Button busy={tell.isPending} onClick={() => tell.mutate()}>
              Save alert
            </Button>
          )}
        </div>
      )}
    </form>
  );
}

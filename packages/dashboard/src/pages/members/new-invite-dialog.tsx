import type { NewInvite, Role } from '@postern/contract/dashboard';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { OnceSecret } from '../../components/code-block.tsx';
import { dayOf } from '../../components/format.ts';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';

const HELP: Record<Role, string> = {
  viewer: 'Reads everything, changes nothing.',
  admin: 'Also changes projects, keys and policies.',
  owner: 'Also invites and removes members, and changes roles.',
};

export function NewInviteDialog({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<Role>('viewer');
  const create = useChange({
    inline: true,
    send: () => api.post<NewInvite>('/invites', { role }),
    invalidates: [['invites']],
  });
  const invite = create.data;
  return (
    <Modal title="Invite someone" onClose={onClose}>
      {invite === undefined ? (
        <div className="grid gap-4">
          <Choice
            label="Role"
            value={role}
            options={[
              { value: 'viewer', label: 'Viewer' },
              { value: 'admin', label: 'Admin' },
              { value: 'owner', label: 'Owner' },
            ]}
            onChange={setRole}
            hint={HELP[role]}
          />
          {create.error !== null && <Notice kind="bad">{create.error.message}</Notice>}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" busy={create.isPending} onClick={() => create.mutate()}>
              Make the link
            </Button>
          </div>
        </div>
      ) : (
        <div className="grid gap-4">
          <OnceSecret value={invite.url} label="link" />
          <Notice kind="warn">
            The first person to open this link becomes {invite.role === 'viewer' ? 'a' : 'an'} {invite.role}.
            It is shown this once, makes one account, and ends on {dayOf(invite.expiresAt)}.
          </Notice>
          <div className="flex justify-end">
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}

import { MEMBER_ROLES, type MemberRole } from '@postern/contract/dashboard';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useSession } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { OnceSecret } from '../../components/code-block.tsx';
import { dayOf } from '../../components/format.ts';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { ProjectRoles } from './project-roles.tsx';
import { RoleFields } from './role-fields.tsx';

export function NewInviteDialog({ onClose }: { onClose: () => void }) {
  const { mail } = useSession();
  const [role, setRole] = useState<MemberRole>('viewer');
  const [projects, setProjects] = useState<ProjectRoles>({});
  const [email, setEmail] = useState('');
  const create = useChange({
    inline: true,
    send: () =>
      api(
        'POST /invites',
        {},
        {
          body: {
            role,
            projects: role === 'owner' ? {} : projects,
            ...(email.trim() !== '' && { email: email.trim() }),
          },
        },
      ),
    invalidates: [['invites']],
  });
  const invite = create.data;
  return (
    <Modal title="Invite someone" shownOnce onClose={onClose}>
      {invite === undefined ? (
        <div className="grid gap-4">
          <RoleFields
            roles={MEMBER_ROLES}
            role={role}
            projects={projects}
            onRole={setRole}
            onProjects={setProjects}
          />
          {mail && (
            <TextField
              label="Email (optional)"
              type="email"
              autoComplete="off"
              hint="The link is sent there. Leave it empty to pass the link on yourself."
              value={email}
              onChange={setEmail}
            />
          )}
          {create.error !== null && <Notice kind="bad">{create.error.message}</Notice>}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" busy={create.isPending} onClick={() => create.mutate()}>
              {email.trim() === '' ? 'Create the link' : 'Send the invitation'}
            </Button>
          </div>
        </div>
      ) : (
        <div className="grid gap-4">
          {invite.mail === 'sent' && <Notice kind="note">The invitation was sent to {email.trim()}.</Notice>}
          {invite.mail === 'failed' && (
            <Notice kind="bad">
              The mail server did not take the invitation. Pass the link on yourself; the service’s log has
              the reason.
            </Notice>
          )}
          <OnceSecret value={invite.url} label="link" />
          <Notice kind="warn">
            The first person to open this link becomes{' '}
            {invite.role === 'none'
              ? 'a member with the chosen roles'
              : `${invite.role === 'viewer' ? 'a' : 'an'} ${invite.role}`}
            . It is shown this once, makes one account, and ends on {dayOf(invite.expiresAt)}.
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

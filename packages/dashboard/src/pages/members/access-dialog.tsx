import { MEMBER_ROLES, type Member, type MemberRole } from '@postern/contract/dashboard';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../components/button.tsx';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { RoleFields } from './role-fields.tsx';

export function AccessDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState<MemberRole>(member.role);
  const [projects, setProjects] = useState<Member['projects']>(member.projects);
  const save = useChange({
    inline: true,
    send: () =>
      api(
        'PATCH /members/:id',
        { id: member.id },
        { body: { role, projects: role === 'owner' ? {} : projects } },
      ),
    invalidates: [['members'], ['session']],
    successText: `The role of ${member.name} is changed.`,
    onDone: onClose,
  });
  return (
    <Modal title={`Role of ${member.name}`} onClose={onClose}>
      <div className="grid gap-4">
        <RoleFields
          roles={MEMBER_ROLES}
          role={role}
          projects={projects}
          onRole={setRole}
          onProjects={(value) => setProjects({ ...value })}
        />
        {save.error !== null && <Notice kind="bad">{save.error.message}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={save.isPending} onClick={() => save.mutate()}>
            Save the role
          </Button>
        </div>
      </div>
    </Modal>
  );
}

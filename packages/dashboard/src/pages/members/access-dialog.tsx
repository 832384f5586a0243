import { MEMBER_ROLES, type Member, type MemberRole } from '@postern/contract/dashboard';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
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
    <FormDialog title={`Role of ${member.name}`} action="Save the role" change={save} onClose={onClose}>
      <RoleFields
        roles={MEMBER_ROLES}
        role={role}
        projects={projects}
        onRole={setRole}
        onProjects={(value) => setProjects({ ...value })}
      />
    </FormDialog>
  );
}

import type { MemberRole } from '@postern/contract/dashboard';
import { Choice } from '../../components/choice.tsx';
import { ROLE_HELP, ROLE_NAMES } from '../../components/role-names.ts';
import { type ProjectRoles, ProjectRolesField } from './project-roles.tsx';

interface RoleFieldsProps {
  roles: readonly MemberRole[];
  role: MemberRole;
  projects: ProjectRoles;
  onRole: (role: MemberRole) => void;
  onProjects: (projects: ProjectRoles) => void;
}

/** A role in all projects, and different roles in selected projects. */
export function RoleFields({ roles, role, projects, onRole, onProjects }: RoleFieldsProps) {
  return (
    <>
      <Choice
        label="Role in all projects"
        value={role}
        options={Object.fromEntries(roles.map((value) => [value, ROLE_NAMES[value]]))}
        onChange={onRole}
        hint={ROLE_HELP[role]}
      />
      {role !== 'owner' && (
        <ProjectRolesField
          value={projects}
          otherwise={role === 'none' ? 'sees nothing of it' : `${role}, as everywhere`}
          onChange={onProjects}
        />
      )}
    </>
  );
}

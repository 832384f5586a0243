import { PROJECT_ROLES, type ProjectRole } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../../api/queries.ts';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { Pick } from '../../components/pick.tsx';

export type ProjectRoles = Readonly<Record<string, ProjectRole>>;

interface ProjectRolesFieldProps {
  value: ProjectRoles;
  /** What applies in projects without a role of their own. */
  otherwise: string;
  onChange: (value: ProjectRoles) => void;
}

/** A role for each project. */
export function ProjectRolesField({ value, otherwise, onChange }: ProjectRolesFieldProps) {
  const projects = useQuery(projectsQuery);
  const pick = (id: string, role: string) => {
    const { [id]: _before, ...others } = value;
    const found = PROJECT_ROLES.find((one) => one === role);
    onChange(found === undefined ? others : { ...others, [id]: found });
  };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[0.8667rem] font-medium">Roles in selected projects</legend>
      <Loaded query={projects} pending={<SkeletonRows rows={2} />}>
        {(all) => (
          <ul className="grid max-h-72 gap-2 overflow-y-auto">
            {all.map(({ id, name }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-2">
                <span className="min-w-0 wrap-anywhere">{name}</span>
                <Pick
                  label={`Role in ${name}`}
                  any={otherwise}
                  className="!w-44"
                  value={value[id]}
                  onChange={(role) => pick(id, role)}
                >
                  {PROJECT_ROLES.map((role) => [role, role] as const)}
                </Pick>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </fieldset>
  );
}

/** “admin of Web shop, viewer of Blog”. Nothing if there are none. */
export function ProjectRolesLine({ roles }: { roles: ProjectRoles }) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const line = Object.entries(roles)
    .map(([id, role]) => `${role} of ${names.get(id) ?? id}`)
    .join(', ');
  return line === '' ? null : <div className="text-[0.8333rem] text-soft">{line}</div>;
}

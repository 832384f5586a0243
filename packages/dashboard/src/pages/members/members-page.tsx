import { type Invite, MEMBER_ROLES, type Member, type MemberRole } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { invitesQuery, membersQuery } from '../../api/queries.ts';
import { useChange } from '../../api/use-change.ts';
import { usePermissions, useSession } from '../../api/use-session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { OnceSecret } from '../../components/code-block.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { dayOf } from '../../components/format.ts';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { ROLE_HELP, ROLE_NAMES } from '../../components/role-names.ts';
import { ActionsHead, AgoCell, Cell, Table } from '../../components/table.tsx';
import { TextField } from '../../components/text-field.tsx';
import { UserPlus } from '../../icons.ts';
import { type ProjectRoles, ProjectRolesField, ProjectRolesLine } from './project-roles.tsx';

export function MembersPage() {
  const may = usePermissions();
  const members = useQuery(membersQuery);
  const [inviting, setInviting] = useState(false);
  return (
    <Page
      title="Members"
      lead="Viewers read. Analysts also review and change the lists. Admins also change projects and keys. Owners also manage members. A member can have a different role in selected projects."
      actions={
        may.manage && (
          <Button variant="primary" onClick={() => setInviting(true)}>
            <UserPlus size={16} /> Invite
          </Button>
        )
      }
    >
      {!may.manage && <Notice kind="note">Only owners can invite people and change roles.</Notice>}
      <Section title="People" flush>
        <Loaded query={members} pending={<SkeletonRows rows={3} className="px-5 pb-5" />}>
          {(all) => (
            <Table
              label="Members"
              flows
              head={['Name', 'Role', 'Sign-in', 'Last active', <ActionsHead key="actions" />]}
            >
              {all.map((member) => (
                <MemberRow key={member.id} member={member} manage={may.manage} />
              ))}
            </Table>
          )}
        </Loaded>
      </Section>
      {may.manage && <Invites />}
      {inviting && <NewInviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}

function MemberRow({ member, manage }: { member: Member; manage: boolean }) {
  const { user } = useSession();
  const [removing, setRemoving] = useState(false);
  const [changing, setChanging] = useState(false);
  const self = member.id === user.id;
  return (
    <tr>
      <Cell className="wrap-anywhere max-md:basis-full md:min-w-48">
        <div className="font-medium">
          {member.name} {self && <span className="font-normal text-faint">(you)</span>}
        </div>
        <div className="text-[0.8333rem] text-faint">{member.email}</div>
      </Cell>
      <Cell>
        <Badge tone={member.role === 'owner' ? 'accent' : 'neutral'}>{ROLE_NAMES[member.role]}</Badge>
        <ProjectRolesLine roles={member.projects} />
      </Cell>
      <Cell>
        <SignInKinds member={member} />
      </Cell>
      <AgoCell name="active" at={member.lastActiveAt} />
      <Cell className="text-right">
        {manage && !self && (
          <span className="inline-flex gap-2">
            <Button small aria-label={`Change the role of ${member.name}`} onClick={() => setChanging(true)}>
              Change
            </Button>
            <Button
              small
              variant="danger"
              aria-label={`Remove ${member.name}`}
              onClick={() => setRemoving(true)}
            >
              Remove
            </Button>
          </span>
        )}
        {changing && <AccessDialog member={member} onClose={() => setChanging(false)} />}
        {removing && <RemoveMember member={member} onClose={() => setRemoving(false)} />}
      </Cell>
    </tr>
  );
}

/** How well the account is protected. */
function SignInKinds({ member }: { member: Member }) {
  if (member.twoFactorEnabled) return <Badge tone="allow">second factor</Badge>;
  return <span className="text-[0.8667rem] text-faint">password only</span>;
}

function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const remove = useChange({
    send: () => api('DELETE /members/:id', { id: member.id }),
    inline: true,
    successText: `${member.name} is no longer a member.`,
    onDone: onClose,
  });
  return (
    <Confirm title={`Remove ${member.name}?`} action="Remove the member" change={remove} onClose={onClose}>
      <p>
        They are signed out at once, and their access tokens stop working. What they did stays in the audit
        log.
      </p>
    </Confirm>
  );
}

function AccessDialog({ member, onClose }: { member: Member; onClose: () => void }) {
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
    successText: `The role of ${member.name} is changed.`,
    onDone: onClose,
  });
  return (
    <FormDialog title={`Role of ${member.name}`} action="Save the role" change={save} onClose={onClose}>
      <RoleFields
        role={role}
        projects={projects}
        onRole={setRole}
        onProjects={(value) => setProjects({ ...value })}
      />
    </FormDialog>
  );
}

function Invites() {
  const invites = useQuery(invitesQuery);
  return (
    <Section title="Open invitations" flush>
      <Loaded query={invites} pending={<SkeletonRows rows={1} className="px-5 pb-5" />}>
        {(all) =>
          all.length === 0 ? (
            <p className="px-5 pb-5 text-soft">
              None. An invitation is a link that makes one account; send it by whatever way you trust.
            </p>
          ) : (
            <Table
              label="Open invitations"
              flows
              head={['Role', 'Created', 'Expires', <ActionsHead key="actions" />]}
            >
              {all.map((invite) => (
                <InviteRow key={invite.id} invite={invite} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </Section>
  );
}

function InviteRow({ invite }: { invite: Invite }) {
  const withdraw = useChange({
    send: () => api('DELETE /invites/:id', { id: invite.id }),
    successText: 'The invitation is withdrawn.',
  });
  return (
    <tr>
      <Cell>
        <Badge tone={invite.role === 'owner' ? 'accent' : 'neutral'}>{ROLE_NAMES[invite.role]}</Badge>
        <ProjectRolesLine roles={invite.projects} />
      </Cell>
      <AgoCell name="created" at={invite.createdAt} />
      <AgoCell name="expires" at={invite.expiresAt} />
      <Cell className="text-right">
        <Button small busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
          Withdraw
        </Button>
      </Cell>
    </tr>
  );
}

function NewInviteDialog({ onClose }: { onClose: () => void }) {
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
  });
  const invite = create.data;
  return (
    <Modal title="Invite someone" shownOnce onClose={onClose}>
      {invite === undefined ? (
        <div className="grid gap-4">
          <RoleFields role={role} projects={projects} onRole={setRole} onProjects={setProjects} />
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

interface RoleFieldsProps {
  role: MemberRole;
  projects: ProjectRoles;
  onRole: (role: MemberRole) => void;
  onProjects: (projects: ProjectRoles) => void;
}

/** A role in all projects, and different roles in selected projects. */
function RoleFields({ role, projects, onRole, onProjects }: RoleFieldsProps) {
  return (
    <>
      <Choice
        label="Role in all projects"
        value={role}
        options={Object.fromEntries(MEMBER_ROLES.map((value) => [value, ROLE_NAMES[value]]))}
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

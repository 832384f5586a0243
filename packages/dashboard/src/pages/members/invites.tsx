import type { Invite } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { invitesQuery } from '../../api/queries.ts';
import { useChange } from '../../api/use-change.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { ROLE_NAMES } from '../../components/role-names.ts';
import { ActionsHead, Cell, NarrowName, Table } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';
import { ProjectRolesLine } from './project-roles.tsx';

export function Invites() {
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
    invalidates: [['invites']],
    successText: 'The invitation is withdrawn.',
  });
  return (
    <tr>
      <Cell>
        <Badge tone={invite.role === 'owner' ? 'accent' : 'neutral'}>{ROLE_NAMES[invite.role]}</Badge>
        <ProjectRolesLine roles={invite.projects} />
      </Cell>
      <Cell className="text-soft">
        <NarrowName>created</NarrowName>
        <Ago at={invite.createdAt} />
      </Cell>
      <Cell className="text-soft">
        <NarrowName>expires</NarrowName>
        <Ago at={invite.expiresAt} />
      </Cell>
      <Cell className="text-right">
        <Button small busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
          Withdraw
        </Button>
      </Cell>
    </tr>
  );
}

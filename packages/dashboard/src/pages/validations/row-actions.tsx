import type { ValidationRow } from '@postern/contract/dashboard';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePermissions } from '../../api/use-session.ts';
import { buttonClass } from '../../components/button.tsx';
import { ErasePerson } from '../../components/erase-person.tsx';
import { wrongLabel } from '../../components/judgement.tsx';
import type { ListTarget } from '../../components/list-dialog.tsx';
import { ListDialog } from '../../components/list-dialog.tsx';
import { providerWarning } from '../../components/list-effect.ts';
import { PopupMenu } from '../../components/popup-menu.tsx';
import { hasPage, type ThingName } from '../../components/thing-link.tsx';
import type { TimeRange } from '../../components/time-range.ts';
import { useJudge } from '../../components/use-judge.ts';
import { Ban, Check, CircleX, Ellipsis, Eraser, Globe, Network, UserRound } from '../../icons.ts';

interface RowActionsProps {
  projectId: string;
  row: ValidationRow;
  /** The time that pages about its domain and network open with. */
  range?: TimeRange;
  onErased?: () => void;
}

/** What can be done about one sign-up: always allow, block, mark as wrong, erase. */
export function RowActions({ projectId, row, range = {}, onErased }: RowActionsProps) {
  const [target, setTarget] = useState<ListTarget | undefined>();
  const [erasing, setErasing] = useState(false);
  const navigate = useNavigate();
  const may = usePermissions();
  const { inbox, domain, maskedIp, device } = row;
  const atDomain = {
    what: 'domain',
    value: domain,
    ...(row.mailProvider && { warning: providerWarning(domain) }),
  } as const;
  const person = { what: 'person', value: `person:${inbox}`, name: row.maskedAddress } as const;
  const judge = useJudge(projectId);
  const show = (of: ThingName) =>
    void navigate({ to: '/projects/$projectId/thing', params: { projectId }, search: { ...of, ...range } });
  const block = <Ban size={15} aria-hidden="true" />;
  const allow = <Check size={15} aria-hidden="true" />;
  const entry = (key: string, label: string, icon: typeof block, wanted: ListTarget, separated = false) => ({
    key,
    label,
    icon,
    separated,
    onPick: () => setTarget(wanted),
  });
  return (
    <>
      <PopupMenu
        label={`Actions for ${row.maskedAddress}`}
        align="end"
        className={`${buttonClass('quiet', true)} relative z-1 !px-1.5 sm:!min-h-6`}
        button={<Ellipsis size={16} aria-hidden="true" />}
        entries={[
          {
            key: 'person',
            label: 'Show this person',
            icon: <UserRound size={15} aria-hidden="true" />,
            onPick: () => show({ person: inbox }),
          },
          ...(hasPage(domain)
            ? [
                {
                  key: 'domain',
                  label: 'Show this domain',
                  icon: <Globe size={15} aria-hidden="true" />,
                  onPick: () => show({ domain }),
                },
              ]
            : []),
          ...(maskedIp === null
            ? []
            : [
                {
                  key: 'network',
                  label: 'Show this network',
                  icon: <Network size={15} aria-hidden="true" />,
                  onPick: () => show({ network: maskedIp }),
                },
              ]),
          ...(may.decide
            ? [
                entry(
                  'allow-person',
                  'Always allow this person…',
                  allow,
                  { list: 'allowList', ...person },
                  true,
                ),
                entry('allow-domain', 'Always allow the domain…', allow, {
                  list: 'allowList',
                  ...atDomain,
                }),
                entry('block-person', 'Block this person…', block, { list: 'blockList', ...person }, true),
                entry('block-domain', 'Block the domain…', block, {
                  list: 'blockList',
                  ...atDomain,
                }),
                ...(device === null
                  ? []
                  : [
                      entry('block-device', 'Block the device…', block, {
                        list: 'blockList',
                        what: 'device',
                        value: `device:${device}`,
                        name: `Device ${device.slice(0, 12)}…`,
                      }),
                    ]),
                ...(maskedIp === null
                  ? []
                  : [
                      entry('block-network', 'Block the network…', block, {
                        list: 'blockList',
                        what: 'network',
                        value: maskedIp,
                      }),
                    ]),
                ...(row.mode === 'test'
                  ? []
                  : [
                      {
                        key: 'wrong',
                        label: wrongLabel(row.recommendation),
                        icon: <CircleX size={15} aria-hidden="true" />,
                        separated: true,
                        onPick: () => judge.mutate({ validations: [row.id], outcome: 'wrong' }),
                      },
                    ]),
              ]
            : []),
          ...(may.change
            ? [
                {
                  key: 'erase',
                  label: 'Erase this person…',
                  icon: <Eraser size={15} aria-hidden="true" />,
                  separated: true,
                  danger: true,
                  onPick: () => setErasing(true),
                },
              ]
            : []),
        ]}
      />
      {target !== undefined && (
        <ListDialog projectId={projectId} target={target} onClose={() => setTarget(undefined)} />
      )}
      {erasing && (
        <ErasePerson
          projectId={projectId}
          inbox={inbox}
          onClose={() => setErasing(false)}
          {...(onErased !== undefined && { onErased })}
        />
      )}
    </>
  );
}

import type { ValidationRow } from '@postern/contract/dashboard';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePermissions } from '../../api/use-session.ts';
import { buttonClass } from '../../components/button.tsx';
import type { Icon } from '../../components/create-icon.ts';
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

interface Look {
  separated?: boolean;
  danger?: boolean;
}
const APART: Look = { separated: true };

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
  const markWrong = () => judge.mutate({ validations: [row.id], outcome: 'wrong' });
  const show = (of: ThingName) =>
    void navigate({ to: '/projects/$projectId/thing', params: { projectId }, search: { ...of, ...range } });
  const item = (key: string, label: string, Sign: Icon, onPick: () => void, look: Look = {}) => ({
    ...{ key, label, icon: <Sign size={15} />, onPick },
    ...look,
  });
  const listItem = (key: string, label: string, wanted: ListTarget, look: Look = {}) =>
    may.decide && item(key, label, wanted.list === 'allowList' ? Check : Ban, () => setTarget(wanted), look);
  return (
    <>
      <PopupMenu
        label={`Actions for ${row.maskedAddress}`}
        align="end"
        className={`${buttonClass('quiet', true)} relative z-1 !px-1.5 sm:!min-h-6`}
        button={<Ellipsis size={16} />}
        entries={[
          item('person', 'Show this person', UserRound, () => show({ person: inbox })),
          hasPage(domain) && item('domain', 'Show this domain', Globe, () => show({ domain })),
          maskedIp !== null &&
            item('network', 'Show this network', Network, () => show({ network: maskedIp })),
          listItem('allow-person', 'Always allow this person…', { list: 'allowList', ...person }, APART),
          listItem('allow-domain', 'Always allow the domain…', { list: 'allowList', ...atDomain }),
          listItem('block-person', 'Block this person…', { list: 'blockList', ...person }, APART),
          listItem('block-domain', 'Block the domain…', { list: 'blockList', ...atDomain }),
          device !== null &&
            listItem('block-device', 'Block the device…', {
              list: 'blockList',
              what: 'device',
              value: `device:${device}`,
              name: `Device ${device.slice(0, 12)}…`,
            }),
          maskedIp !== null &&
            listItem('block-network', 'Block the network…', {
              list: 'blockList',
              what: 'network',
              value: maskedIp,
            }),
          may.decide &&
            row.mode !== 'test' &&
            item('wrong', wrongLabel(row.recommendation), CircleX, markWrong, APART),
          may.change &&
            item('erase', 'Erase this person…', Eraser, () => setErasing(true), { ...APART, danger: true }),
        ].filter((each) => each !== false)}
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

import type { RuleFigures, RuleView } from '@postern/contract/dashboard';
import { Link, useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { actorName } from '../../components/actor-name.ts';
import { BadShare } from '../../components/bad-share.tsx';
import { Badge, RecommendationBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { count } from '../../components/format.ts';
import { Skeleton } from '../../components/pending.tsx';
import { PopupMenu } from '../../components/popup-menu.tsx';
import { Cell, NarrowName } from '../../components/table.tsx';
import { Ago } from '../../components/time.tsx';
import { ChevronDown, ChevronUp, Ellipsis, GripVertical } from '../../icons.ts';
import { ruleText } from './rule-words.ts';
import type { RowDrag } from './use-row-drag.ts';
import type { useRuleChanges } from './use-rule-changes.ts';

type RuleChanges = ReturnType<typeof useRuleChanges>;

interface RuleRowProps {
  projectId: string;
  rule: RuleView;
  place: number;
  last: boolean;
  figures: RuleFigures | undefined;
  baseRate: number | null;
  /** Absent if the person may not change rules. */
  changes: RuleChanges | undefined;
  drag: RowDrag;
  onMove: (place: number, button: HTMLButtonElement) => void;
}

export function RuleRow(props: RuleRowProps) {
  const { projectId, rule, place, figures, baseRate, changes, drag } = props;
  return (
    <tr
      onDragOver={drag.onOver}
      onDrop={drag.onDrop}
      className={clsx(
        drag.dragged && 'opacity-50',
        drag.lands === 'before' && 'shadow-[inset_0_2px_0_var(--color-accent)]',
        drag.lands === 'after' && 'shadow-[inset_0_-2px_0_var(--color-accent)]',
      )}
    >
      <Cell className="num align-top whitespace-nowrap max-md:-order-2">
        {changes === undefined ? <span className="text-soft">{place + 1}</span> : <Order {...props} />}
      </Cell>
      <Cell className="align-top max-md:basis-full md:min-w-64">
        <Link
          to="/projects/$projectId/rules/$rule"
          params={{ projectId, rule: rule.id }}
          className="font-medium wrap-anywhere hover:text-accent hover:underline"
        >
          {rule.name}
        </Link>
        <p className="text-[0.8667rem] text-soft wrap-anywhere">{ruleText(rule)}</p>
        <RuleHistory rule={rule} />
      </Cell>
      <Cell className="align-top">
        <div className="flex flex-wrap items-center gap-1.5">
          <RecommendationBadge value={rule.then} />
          <Badge tone={rule.mode === 'live' ? 'accent' : 'neutral'}>{rule.mode}</Badge>
        </div>
      </Cell>
      <FigureCells figures={figures} baseRate={baseRate} />
      {changes !== undefined && (
        <Cell className="align-top text-right whitespace-nowrap max-md:-order-1">
          <RowMenu projectId={projectId} rule={rule} changes={changes} />
        </Cell>
      )}
    </tr>
  );
}

/** How the rule did. Grey places of the same size while it is being counted, so that the page does not jump. */
function FigureCells({ figures, baseRate }: Pick<RuleRowProps, 'figures' | 'baseRate'>) {
  return (
    <>
      <Cell className="num align-top whitespace-nowrap">
        {figures === undefined ? (
          <Skeleton className="h-5 w-10" />
        ) : (
          <>
            {count(figures.matches)}
            <span className="text-faint md:hidden"> {figures.matches === 1 ? 'match' : 'matches'}</span>
          </>
        )}
      </Cell>
      <Cell className="num align-top max-md:order-last max-md:!ml-0 max-md:basis-full md:w-44">
        {figures === undefined ? (
          <Skeleton className="h-10 w-full" />
        ) : (
          <div className="md:min-h-10">
            <BadShare figures={figures} baseRate={baseRate} />
          </div>
        )}
      </Cell>
      <Cell className="align-top whitespace-nowrap text-soft md:min-w-28">
        {figures === undefined ? (
          <Skeleton className="h-5 w-20" />
        ) : (
          <>
            <NarrowName>last match</NarrowName>
            {figures.lastAt === null ? 'none' : <Ago at={figures.lastAt} />}
          </>
        )}
      </Cell>
    </>
  );
}

/** The end, who changed it, and when. */
function RuleHistory({ rule }: { rule: RuleView }) {
  const { expiresAt, changedAt, changedBy, changedByName } = rule;
  const by = actorName(changedBy ?? '', changedByName);
  const ended = expiresAt !== undefined && expiresAt <= Date.now();
  return (
    <p className="flex flex-wrap gap-x-3 text-[0.8rem] text-faint">
      {expiresAt !== undefined && (
        <span className={ended ? 'text-flag' : undefined}>
          {ended ? 'ended' : 'ends'} <Ago at={expiresAt} />
        </span>
      )}
      {changedAt !== undefined && (
        <span>
          changed <Ago at={changedAt} /> by {by}
        </span>
      )}
    </p>
  );
}

/** The handle for dragging, and buttons for the keyboard and for touch. */
function Order({ rule, place, last, drag, onMove }: RuleRowProps) {
  const button = (text: string, Icon: typeof ChevronUp, to: number, possible: boolean) => (
    <Button
      small
      variant="quiet"
      className="!min-h-6 !px-1"
      // Not `disabled`: the button keeps the focus when the rule reaches an end.
      aria-disabled={!possible}
      onClick={(event) => possible && onMove(to, event.currentTarget)}
    >
      <Icon size={15} className={possible ? undefined : 'opacity-30'} />
      <span className="sr-only">
        Move {rule.name} {text}
      </span>
    </Button>
  );
  return (
    <div className="flex items-center gap-0.5">
      <span
        aria-hidden="true"
        draggable
        title="Drag to another place"
        data-handle={rule.id}
        onDragStart={drag.onStart}
        onDragEnd={drag.onEnd}
        className="hidden cursor-grab p-1 text-faint active:cursor-grabbing md:block"
      >
        <GripVertical size={16} />
      </span>
      <span className="w-5 text-right text-soft">{place + 1}</span>
      <span className="flex md:flex-col">
        {button('up', ChevronUp, place - 1, place > 0)}
        {button('down', ChevronDown, place + 1, !last)}
      </span>
    </div>
  );
}

interface RowMenuProps {
  projectId: string;
  rule: RuleView;
  changes: RuleChanges;
}

function RowMenu({ projectId, rule, changes }: RowMenuProps) {
  const navigate = useNavigate();
  const params = { projectId, rule: rule.id };
  const other = rule.mode === 'live' ? 'shadow' : 'live';
  return (
    <PopupMenu
      label={`Actions for ${rule.name}`}
      button={<Ellipsis size={17} />}
      className="grid size-8 place-items-center rounded-lg text-soft hover:bg-hover hover:text-ink"
      align="end"
      entries={[
        {
          key: 'edit',
          label: 'Edit…',
          onPick: () => void navigate({ to: '/projects/$projectId/rules/$rule/edit', params }),
        },
        {
          key: 'mode',
          label: other === 'live' ? 'Make it live' : 'Put it in shadow',
          onPick: () => changes.switchTo(rule, other),
        },
        { key: 'delete', label: 'Delete', separated: true, danger: true, onPick: () => changes.remove(rule) },
      ]}
    />
  );
}

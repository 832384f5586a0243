import type { RuleView } from '@postern/contract/dashboard';
import {
  RULE_PRESET_GROUPS,
  RULE_PRESETS,
  type RulePreset,
  type RulePresetGroup,
} from '@postern/contract/rule-presets';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ruleFiguresQuery, rulesQuery } from '../../api/rule-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { RecommendationBadge } from '../../components/badge.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LastChanges } from '../../components/last-changes.tsx';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { ActionsHead, Table } from '../../components/table.tsx';
import { Plus, Split } from '../../icons.ts';
import { RuleRow } from './rule-row.tsx';
import { useRowDrag } from './use-row-drag.ts';
import { useRuleChanges } from './use-rule-changes.ts';

/** The project’s rules, in the order in which they are asked. */
export function RulesPage() {
  const project = useProject();
  const may = usePermissions();
  const rules = useQuery(rulesQuery(project.id));
  const [choosing, setChoosing] = useState(false);
  const actions = may.change && (
    <>
      <Button onClick={() => setChoosing(true)}>Ready-made rules…</Button>
      <Link
        to="/projects/$projectId/new-rule"
        params={{ projectId: project.id }}
        className={buttonClass('primary')}
      >
        <Plus size={16} /> New rule
      </Link>
    </>
  );
  return (
    <Page
      title="Rules"
      lead="Conditions that you write. The first live rule that matches decides, after the project’s allow and block lists and instead of the checks."
      actions={actions}
      margin={<LastChanges projectId={project.id} />}
    >
      {!may.change && (
        <Notice kind="note">You can read the rules. An admin or an owner can change them.</Notice>
      )}
      <Loaded query={rules} pending={<SkeletonRows rows={6} className="card p-5" />}>
        {(data) =>
          data.length === 0 ? (
            <div className="card">
              <EmptyState icon={Split} title="No rules yet">
                A rule knows what no check can know: that your trial is abused from one network, or that a
                partner’s people must always get in. While you write one, you see whom it would have matched.
              </EmptyState>
            </div>
          ) : (
            <RuleList projectId={project.id} rules={data} mayChange={may.change} />
          )
        }
      </Loaded>
      {choosing && (
        <PresetDialog projectId={project.id} rules={rules.data ?? []} onClose={() => setChoosing(false)} />
      )}
    </Page>
  );
}

interface PresetDialogProps {
  projectId: string;
  rules: readonly RuleView[];
  onClose: () => void;
}

const GROUPS = Object.entries(RULE_PRESET_GROUPS) as [RulePresetGroup, string][];
const PRESETS: readonly [string, RulePreset][] = Object.entries(RULE_PRESETS);

/** Ready-made rules, each with its reason. One that is added starts in shadow. */
function PresetDialog({ projectId, rules, onClose }: PresetDialogProps) {
  const changes = useRuleChanges(projectId);
  const taken = new Set(rules.map(({ id }) => id));
  const add = (id: string, { name, when, then, reason }: RulePreset) =>
    changes.add(
      { id, name, when, then, note: reason, mode: 'shadow' },
      `“${name}” is added in shadow. It changes no answer until you make it live.`,
    );
  return (
    <Modal title="Ready-made rules" wide onClose={onClose}>
      <div className="grid grid-cols-1 gap-6">
        <p className="text-soft">
          Each is added in shadow: it changes no answer and is only counted. Look at whom it matches, then
          make it live.
        </p>
        {GROUPS.map(([group, title]) => (
          <section key={group} aria-label={title} className="grid gap-1">
            <h3 className="font-semibold">{title}</h3>
            <ul className="divide-y divide-line">
              {PRESETS.filter(([, preset]) => preset.group === group).map(([id, preset]) => (
                <li key={id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
                  <div className="grid min-w-0 flex-1 basis-72 gap-1">
                    <p className="flex flex-wrap items-center gap-2 font-medium">
                      {preset.name} <RecommendationBadge value={preset.then} />
                    </p>
                    <p className="text-[0.9rem] text-soft">{preset.reason}</p>
                    <code className="font-mono text-[0.8333rem] wrap-anywhere text-soft">{preset.when}</code>
                  </div>
                  <Button small disabled={taken.has(id) || changes.busy} onClick={() => add(id, preset)}>
                    {taken.has(id) ? 'Added' : 'Add in shadow'}
                    <span className="sr-only">: {preset.name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Modal>
  );
}

interface RuleListProps {
  projectId: string;
  rules: readonly RuleView[];
  mayChange: boolean;
}

/** The rules in their order, which can be changed by dragging and with buttons. */
function RuleList({ projectId, rules, mayChange }: RuleListProps) {
  const figures = useQuery(ruleFiguresQuery(projectId));
  const changes = useRuleChanges(projectId);
  const [said, setSaid] = useState('');
  const drag = useRowDrag((id, place) => moveTo(id, place));
  const pressed = useRef<HTMLButtonElement | null>(null);
  const moveTo = (id: string, place: number) => {
    const from = rules.findIndex((rule) => rule.id === id);
    const rule = rules[from];
    if (rule === undefined || place < 0 || place >= rules.length || place === from) return;
    changes.move(id, place);
    setSaid(`${rule.name} is now number ${place + 1} of ${rules.length}.`);
  };
  // The row moves in the page, which takes the focus away from the button in it.
  const order = rules.map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is what the focus depends on.
  useEffect(() => {
    pressed.current?.focus();
    pressed.current = null;
  }, [order]);
  const head = ['Order', 'Rule', 'Answer', 'Matches', 'Known bad', 'Last match'];
  return (
    <Section
      title="In the order in which they are tried"
      lead="Matches are those of 30 days. A shadow rule changes no answer and is only counted. The thin line is the 95% interval of the share of bad people, the dashed line the average share."
      flush
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      <Table label="Rules" head={mayChange ? [...head, <ActionsHead key="actions" />] : head} flows>
        {rules.map((rule, place) => (
          <RuleRow
            key={rule.id}
            projectId={projectId}
            rule={rule}
            place={place}
            last={place === rules.length - 1}
            figures={figures.data?.rules.find(({ id }) => id === rule.id)}
            baseRate={figures.data?.baseRate ?? null}
            changes={mayChange ? changes : undefined}
            drag={drag.of(rule.id, place)}
            onMove={(to, button) => {
              pressed.current = button;
              moveTo(rule.id, to);
            }}
          />
        ))}
      </Table>
    </Section>
  );
}

import type { RuleView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ruleFiguresQuery } from '../../api/rule-queries.ts';
import { Section } from '../../components/page.tsx';
import { ActionsHead, Table } from '../../components/table.tsx';
import { RuleRow } from './rule-row.tsx';
import { useRowDrag } from './use-row-drag.ts';
import { useRuleChanges } from './use-rule-changes.ts';

interface RuleListProps {
  projectId: string;
  rules: readonly RuleView[];
  mayChange: boolean;
}

/** The rules in their order, which can be changed by dragging and with buttons. */
export function RuleList({ projectId, rules, mayChange }: RuleListProps) {
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
  const head = ['Order', 'Rule', 'Answer', 'Matches, 30 days', 'Known bad', 'Last match'];
  return (
    <Section
      title="In the order in which they are tried"
      lead="A shadow rule changes no answer and is only counted. The thin line is the 95% interval of the share of bad people, the dashed line the average share."
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

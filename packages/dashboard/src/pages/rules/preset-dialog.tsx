import type { RuleView } from '@postern/contract/dashboard';
import {
  RULE_PRESET_GROUPS,
  RULE_PRESETS,
  type RulePreset,
  type RulePresetGroup,
} from '@postern/contract/rule-presets';
import { RecommendationBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Modal } from '../../components/modal.tsx';
import { useRuleChanges } from './use-rule-changes.ts';

interface PresetDialogProps {
  projectId: string;
  rules: readonly RuleView[];
  onClose: () => void;
}

const GROUPS = Object.entries(RULE_PRESET_GROUPS) as [RulePresetGroup, string][];
const PRESETS: readonly [string, RulePreset][] = Object.entries(RULE_PRESETS);

/** Ready-made rules, each with its reason. One that is added starts in shadow. */
export function PresetDialog({ projectId, rules, onClose }: PresetDialogProps) {
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

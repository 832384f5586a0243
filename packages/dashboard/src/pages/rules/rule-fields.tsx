import { ACTIONS } from '@postern/contract';
import { RULE_LIMITS, RULE_MODES } from '@postern/contract/rules';
import { Choice } from '../../components/choice.tsx';
import { Section } from '../../components/page.tsx';
import { STEP_UP_OPTIONS } from '../../components/policy-fields.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { RuleDraft } from './rule-draft.ts';

interface RuleFieldsProps {
  draft: RuleDraft;
  disabled: boolean;
  onChange: (part: Partial<RuleDraft>) => void;
}

const ACTION_LABELS = { allow: 'Allow', flag: 'Flag', block: 'Block' } as const;
const MODE_LABELS = { live: 'Live', shadow: 'Shadow' } as const;
const MODE_HINTS = {
  live: 'From the next request on, it decides if no earlier rule matches.',
  shadow: 'It changes no answer and is only counted. Make it live after a few days.',
} as const;

/** Everything of a rule except its condition. */
export function RuleFields({ draft, disabled, onChange }: RuleFieldsProps) {
  return (
    <Section title="Then">
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Choice
            label="Answer"
            value={draft.then}
            options={ACTIONS.map((value) => ({
              value,
              label: ACTION_LABELS[value],
              colour: `text-${value}`,
            }))}
            disabled={disabled}
            onChange={(then) => onChange({ then })}
          />
          <Choice
            label="Mode"
            value={draft.mode}
            options={RULE_MODES.map((value) => ({ value, label: MODE_LABELS[value] }))}
            disabled={disabled}
            onChange={(mode) => onChange({ mode })}
            hint={MODE_HINTS[draft.mode]}
          />
        </div>
        {draft.then === 'flag' && (
          <Choice
            label="What the flag asks for"
            value={draft.stepUp}
            options={[{ value: '', label: 'As the policy says' }, ...STEP_UP_OPTIONS]}
            disabled={disabled}
            onChange={(stepUp) => onChange({ stepUp })}
          />
        )}
        <TextField
          label="Name"
          required
          maxLength={RULE_LIMITS.nameLength}
          disabled={disabled}
          value={draft.name}
          onChange={(name) => onChange({ name })}
        />
        <TextField
          label="Note (optional)"
          hint="Why the rule exists, for your colleagues."
          maxLength={RULE_LIMITS.noteLength}
          disabled={disabled}
          value={draft.note}
          onChange={(note) => onChange({ note })}
        />
        <TextField
          label="Message (optional)"
          hint="What your form shows the person. Without it, the message gives no reason."
          maxLength={RULE_LIMITS.messageLength}
          disabled={disabled}
          value={draft.message}
          onChange={(message) => onChange({ message })}
        />
        <TextField
          label="Ends (optional)"
          hint="From then on it no longer matches. Your local time."
          type="datetime-local"
          disabled={disabled}
          value={draft.ends}
          onChange={(ends) => onChange({ ends })}
        />
      </div>
    </Section>
  );
}

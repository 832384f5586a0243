import { RULE_LIMITS } from '@postern/contract/rules';
import { Choice } from '../../components/choice.tsx';
import { Section } from '../../components/page.tsx';
import { STEP_UP_LABELS } from '../../components/policy-fields.tsx';
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
  const bind = (name: 'name' | 'note' | 'message' | 'ends') => ({
    disabled,
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <Section title="Then">
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Choice
            label="Answer"
            value={draft.then}
            options={ACTION_LABELS}
            coloured
            disabled={disabled}
            onChange={(then) => onChange({ then })}
          />
          <Choice
            label="Mode"
            value={draft.mode}
            options={MODE_LABELS}
            disabled={disabled}
            onChange={(mode) => onChange({ mode })}
            hint={MODE_HINTS[draft.mode]}
          />
        </div>
        {draft.then === 'flag' && (
          <Choice
            label="What the flag asks for"
            value={draft.stepUp}
            options={{ '': 'As the policy says', ...STEP_UP_LABELS }}
            disabled={disabled}
            onChange={(stepUp) => onChange({ stepUp })}
          />
        )}
        <TextField label="Name" required maxLength={RULE_LIMITS.nameLength} {...bind('name')} />
        <TextField
          label="Note (optional)"
          hint="Why the rule exists, for your colleagues."
          maxLength={RULE_LIMITS.noteLength}
          {...bind('note')}
        />
        <TextField
          label="Message (optional)"
          hint="What your form shows the person. Without it, the message gives no reason."
          maxLength={RULE_LIMITS.messageLength}
          {...bind('message')}
        />
        <TextField
          label="Ends (optional)"
          hint="From then on it no longer matches. Your local time."
          type="datetime-local"
          {...bind('ends')}
        />
      </div>
    </Section>
  );
}

import { CHECK_NAMES, POLICY_SIGNALS, type PolicySignal, type StepUp } from '@postern/contract';
import { type CountField, POLICY_FIELDS, type ProjectPolicy } from '@postern/contract/project-fields';
import { type ReactNode, useEffect, useState } from 'react';
import { CHECKS, signalMeaning } from './check-names.ts';
import { Choice } from './choice.tsx';
import { Notice } from './notice.tsx';
import { type ActionOrOff, actionOf, withAction } from './policy-change.ts';
import { TextField } from './text-field.tsx';

interface PolicyFieldsProps {
  policy: ProjectPolicy;
  onChange: (policy: ProjectPolicy) => void;
  disabled?: boolean;
}

const ACTIONS: Readonly<Record<ActionOrOff, string>> = {
  off: 'Off',
  allow: 'Allow',
  flag: 'Flag',
  block: 'Block',
};

/** Which checks run, and the action for a failure of each. */
interface ActionFieldsProps extends PolicyFieldsProps {
  /** What became of those who failed a check. */
  results?: Readonly<Record<string, string>>;
}

export function ActionFields({ policy, onChange, disabled = false, results = {} }: ActionFieldsProps) {
  return (
    <ul className="divide-y divide-line">
      {CHECK_NAMES.map((name) => (
        <li key={name} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2.5">
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-medium">{CHECKS[name].title}</p>
            <p className="text-[0.8667rem] text-faint">{CHECKS[name].asks}</p>
            <p className="num text-[0.8667rem] text-soft">{results[name]}</p>
          </div>
          <Choice
            label={`When ${CHECKS[name].title} fails`}
            hideLabel
            disabled={disabled}
            value={actionOf(policy, name)}
            options={ACTIONS}
            coloured
            onChange={(action) => onChange(withAction(policy, name, action))}
          />
        </li>
      ))}
    </ul>
  );
}

export const SIGNAL_LABELS: Readonly<Record<PolicySignal, string>> = {
  lookalike_spelling: 'Domain in look-alike characters',
  dns_no_answer: 'DNS silent about the domain only',
  random_local_part: 'Generated local part',
  new_domain: 'Domain registered within 30 days',
  parked_domain: 'Unlisted domain at a parking service',
  wildcard_mail: 'Unlisted domain where every name receives mail',
  cheap_ending: 'Unlisted domain with a very cheap ending',
  unknown_mail_service: 'Unlisted domain with a mail word in its name',
  domain_new_here: 'Unlisted domain first seen within 7 days',
  domain_turned_bad: 'Domain whose people turned out bad',
  subdomain_churn: 'Many new names under one domain',
  pattern_burst: 'Many new inboxes with one name pattern',
  network_burst: 'Many new inboxes from one network',
};

export const STEP_UP_LABELS: Readonly<Record<StepUp, string>> = {
  none: 'Nothing',
  code: 'A mailed code',
  work: 'Work of the browser',
  vendor: 'Your CAPTCHA vendor',
};

const OVERRIDES = {
  allow: 'A page can choose the checks and actions of its request, even weaker ones.',
  tighten: 'A page can only make its request stricter.',
  ignore: 'This policy always applies, whatever a page asks for.',
} as const;

/** What each value of a choice is called. */
const CHOICES = {
  crowd: { allow: 'Only report', flag: 'Flag', block: 'Block' },
  crowdDevices: { act: 'Accuse', watch: 'Only report' },
  stepUp: STEP_UP_LABELS,
  stepUpEffort: { low: 'Low', normal: 'Normal', high: 'High' },
  unknownMx: { pass: 'Let pass', flag: 'Flag' },
  unknownIp: { pass: 'Let pass', flag: 'Flag' },
  agents: { off: 'Ignore', verify: 'Verify' },
  refusal: { plain: 'The reason', quiet: 'No reason' },
  claimCampaigns: { allow: 'Grant', refuse: 'Refuse' },
  relays: { pass: 'Let pass', fail: 'Fail the alias check' },
  clientOverrides: { allow: 'Allow', tighten: 'Only stricter', ignore: 'Ignore' },
} satisfies {
  readonly [Name in keyof ProjectPolicy]?: Readonly<Record<ProjectPolicy[Name] & string, string>>;
};
type ChoiceField = keyof typeof CHOICES;
const BEFORE_SIGNALS = ['crowd', 'crowdDevices', 'stepUp'] as const;
const AFTER_SIGNALS = ['unknownMx', 'unknownIp', 'agents', 'refusal', 'claimCampaigns', 'relays'] as const;

interface RuleFieldsProps extends PolicyFieldsProps {
  /** Beside what a flag asks for. */
  vendor?: ReactNode;
}

/** The policy without the actions of the checks. */
export function RuleFields({ policy, onChange, disabled = false, vendor }: RuleFieldsProps) {
  const set = (part: Partial<ProjectPolicy>) => onChange({ ...policy, ...part });
  const setSignal = (name: PolicySignal, action: 'flag' | 'off') => {
    const { [name]: _old, ...rest } = policy.signals;
    set({ signals: action === 'off' ? rest : { ...rest, [name]: action } });
  };
  const choice = (name: ChoiceField, hint: string = POLICY_FIELDS[name].help) => (
    <Choice
      key={name}
      label={POLICY_FIELDS[name].label}
      disabled={disabled}
      value={policy[name]}
      options={CHOICES[name] as Readonly<Record<string, string>>}
      onChange={(value) => set({ [name]: value })}
      hint={hint}
    />
  );
  const number = (name: 'deviceThreshold' | 'stepUpMailRate') => (
    <CountInput
      field={POLICY_FIELDS[name]}
      value={policy[name]}
      disabled={disabled}
      onChange={(value) => set({ [name]: value })}
    />
  );
  return (
    <div className="grid gap-5 md:grid-cols-2">
      {number('deviceThreshold')}
      {BEFORE_SIGNALS.map((name) => choice(name))}
      {policy.stepUp === 'work' && choice('stepUpEffort')}
      {policy.stepUp === 'code' && number('stepUpMailRate')}
      {vendor}
      {POLICY_SIGNALS.map((name) => (
        <Choice
          key={name}
          label={SIGNAL_LABELS[name]}
          disabled={disabled}
          value={policy.signals[name] ?? 'off'}
          options={{ off: 'Only report', flag: 'Flag' }}
          onChange={(action) => setSignal(name, action)}
          hint={signalMeaning(name)}
        />
      ))}
      {AFTER_SIGNALS.map((name) => choice(name))}
      <div className="grid content-start gap-2">
        {choice('clientOverrides', OVERRIDES[policy.clientOverrides])}
        {policy.clientOverrides === 'allow' && (
          <Notice kind="warn">
            A client key is public: anyone who reads your page can send a request with weaker checks. Choose
            “Only stricter” unless your own page has to relax a check.
          </Notice>
        )}
      </div>
    </div>
  );
}

interface CountInputProps {
  field: CountField;
  value: number;
  disabled: boolean;
  onChange: (value: number) => void;
}

function CountInput({ field, value, disabled, onChange }: CountInputProps) {
  const [text, setText] = useState(String(value));
  // The text is separate from the value, because it may not be a number while someone types.
  useEffect(() => setText(String(value)), [value]);
  return (
    <TextField
      label={`${field.label} (${field.unit})`}
      hint={field.help}
      type="number"
      min={field.min}
      max={field.max}
      className="max-w-28"
      disabled={disabled}
      value={text}
      onChange={(typed) => {
        setText(typed);
        const number = Math.trunc(Number(typed));
        if (number >= field.min && number <= field.max) onChange(number);
      }}
      onBlur={() => setText(String(value))}
    />
  );
}

import { CHECK_NAMES, POLICY_SIGNALS, type PolicySignal, type StepUp } from '@postern/contract';
import { type CountField, POLICY_FIELDS, type ProjectPolicy } from '@postern/contract/project-fields';
import { useEffect, useState } from 'react';
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

const ACTION_OPTIONS: readonly { value: ActionOrOff; label: string; colour?: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'allow', label: 'Allow', colour: 'text-allow' },
  { value: 'flag', label: 'Flag', colour: 'text-flag' },
  { value: 'block', label: 'Block', colour: 'text-block' },
];

/** Which checks run, and the action for a failure of each. */
export function ActionFields({ policy, onChange, disabled = false }: PolicyFieldsProps) {
  return (
    <ul className="divide-y divide-line">
      {CHECK_NAMES.map((name) => (
        <li key={name} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2.5">
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-medium">{CHECKS[name].title}</p>
            <p className="text-[0.8667rem] text-faint">{CHECKS[name].asks}</p>
          </div>
          <Choice
            label={`When ${CHECKS[name].title} fails`}
            hideLabel
            disabled={disabled}
            value={actionOf(policy, name)}
            options={ACTION_OPTIONS}
            onChange={(action) => onChange(withAction(policy, name, action))}
          />
        </li>
      ))}
    </ul>
  );
}

const SIGNAL_LABELS: Readonly<Record<PolicySignal, string>> = {
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

export const STEP_UP_OPTIONS: readonly { value: StepUp; label: string }[] = [
  { value: 'none', label: 'Nothing' },
  { value: 'code', label: 'A mailed code' },
  { value: 'work', label: 'Work of the browser' },
  { value: 'vendor', label: 'Your CAPTCHA vendor' },
];

const UNKNOWN_FIELDS = ['unknownMx', 'unknownIp'] as const;

const OVERRIDES = {
  allow: 'A page can choose the checks and actions of its request, even weaker ones.',
  tighten: 'A page can only make its request stricter.',
  ignore: 'This policy always applies, whatever a page asks for.',
} as const;

/** The policy without the actions of the checks. */
export function RuleFields({ policy, onChange, disabled = false }: PolicyFieldsProps) {
  const set = (part: Partial<ProjectPolicy>) => onChange({ ...policy, ...part });
  const setSignal = (name: PolicySignal, action: 'flag' | 'off') => {
    const { [name]: _old, ...rest } = policy.signals;
    set({ signals: action === 'off' ? rest : { ...rest, [name]: action } });
  };
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <CountInput
        field={POLICY_FIELDS.deviceThreshold}
        value={policy.deviceThreshold}
        disabled={disabled}
        onChange={(deviceThreshold) => set({ deviceThreshold })}
      />
      <Choice
        label={POLICY_FIELDS.crowd.label}
        disabled={disabled}
        value={policy.crowd}
        options={[
          { value: 'allow', label: 'Only report' },
          { value: 'flag', label: 'Flag' },
          { value: 'block', label: 'Block' },
        ]}
        onChange={(crowd) => set({ crowd })}
        hint={POLICY_FIELDS.crowd.help}
      />
      <Choice
        label={POLICY_FIELDS.crowdDevices.label}
        disabled={disabled}
        value={policy.crowdDevices}
        options={[
          { value: 'act', label: 'Accuse' },
          { value: 'watch', label: 'Only report' },
        ]}
        onChange={(crowdDevices) => set({ crowdDevices })}
        hint={POLICY_FIELDS.crowdDevices.help}
      />
      <Choice
        label={POLICY_FIELDS.stepUp.label}
        disabled={disabled}
        value={policy.stepUp}
        options={STEP_UP_OPTIONS}
        onChange={(stepUp) => set({ stepUp })}
        hint={POLICY_FIELDS.stepUp.help}
      />
      {policy.stepUp === 'work' && (
        <Choice
          label={POLICY_FIELDS.stepUpEffort.label}
          disabled={disabled}
          value={policy.stepUpEffort}
          options={[
            { value: 'low', label: 'Low' },
            { value: 'normal', label: 'Normal' },
            { value: 'high', label: 'High' },
          ]}
          onChange={(stepUpEffort) => set({ stepUpEffort })}
          hint={POLICY_FIELDS.stepUpEffort.help}
        />
      )}
      {policy.stepUp === 'code' && (
        <CountInput
          field={POLICY_FIELDS.stepUpMailRate}
          value={policy.stepUpMailRate}
          disabled={disabled}
          onChange={(stepUpMailRate) => set({ stepUpMailRate })}
        />
      )}
      {POLICY_SIGNALS.map((name) => (
        <Choice
          key={name}
          label={SIGNAL_LABELS[name]}
          disabled={disabled}
          value={policy.signals[name] ?? 'off'}
          options={[
            { value: 'off', label: 'Only report' },
            { value: 'flag', label: 'Flag' },
          ]}
          onChange={(action) => setSignal(name, action)}
          hint={signalMeaning(name)}
        />
      ))}
      {UNKNOWN_FIELDS.map((name) => (
        <Choice
          key={name}
          label={POLICY_FIELDS[name].label}
          disabled={disabled}
          value={policy[name]}
          options={[
            { value: 'pass', label: 'Let pass' },
            { value: 'flag', label: 'Flag' },
          ]}
          onChange={(action) => set({ [name]: action })}
          hint={POLICY_FIELDS[name].help}
        />
      ))}
      <Choice
        label={POLICY_FIELDS.agents.label}
        disabled={disabled}
        value={policy.agents}
        options={[
          { value: 'off', label: 'Ignore' },
          { value: 'verify', label: 'Verify' },
        ]}
        onChange={(agents) => set({ agents })}
        hint={POLICY_FIELDS.agents.help}
      />
      <Choice
        label={POLICY_FIELDS.refusal.label}
        disabled={disabled}
        value={policy.refusal}
        options={[
          { value: 'plain', label: 'The reason' },
          { value: 'quiet', label: 'No reason' },
        ]}
        onChange={(refusal) => set({ refusal })}
        hint={POLICY_FIELDS.refusal.help}
      />
      <Choice
        label={POLICY_FIELDS.claimCampaigns.label}
        disabled={disabled}
        value={policy.claimCampaigns}
        options={[
          { value: 'allow', label: 'Grant' },
          { value: 'refuse', label: 'Refuse' },
        ]}
        onChange={(claimCampaigns) => set({ claimCampaigns })}
        hint={POLICY_FIELDS.claimCampaigns.help}
      />
      <Choice
        label={POLICY_FIELDS.relays.label}
        disabled={disabled}
        value={policy.relays}
        options={[
          { value: 'pass', label: 'Let pass' },
          { value: 'fail', label: 'Fail the alias check' },
        ]}
        onChange={(relays) => set({ relays })}
        hint={POLICY_FIELDS.relays.help}
      />
      <div className="grid content-start gap-2">
        <Choice
          label={POLICY_FIELDS.clientOverrides.label}
          disabled={disabled}
          value={policy.clientOverrides}
          options={[
            { value: 'allow', label: 'Allow' },
            { value: 'tighten', label: 'Only stricter' },
            { value: 'ignore', label: 'Ignore' },
          ]}
          onChange={(clientOverrides) => set({ clientOverrides })}
          hint={OVERRIDES[policy.clientOverrides]}
        />
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

import { type builtInMessage, CHECK_NAMES, LANGUAGE_TAGS, type LanguageTag } from '@postern/contract';
import { POLICY_FIELDS, type ProjectPolicy } from '@postern/contract/project-fields';
import { useEffect, useState } from 'react';
import { CHECKS } from './check-names.ts';
import { withMessage } from './policy-change.ts';
import { SelectField, TextField } from './text-field.tsx';

interface MessageFieldsProps {
  policy: ProjectPolicy;
  onChange: (policy: ProjectPolicy) => void;
  disabled?: boolean;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });
const nameOf = (tag: string) => languageNames.of(tag) ?? tag;

/** The language of the messages, and the project’s own texts. */
export function MessageFields({ policy, onChange, disabled = false }: MessageFieldsProps) {
  const [builtIn, setBuiltIn] = useState<typeof builtInMessage>();
  // All languages are too much for the first load. Without them, only the placeholders are missing.
  useEffect(() => {
    void import('./built-in-messages.ts').then(
      (loaded) => setBuiltIn(() => loaded.builtInMessage),
      () => undefined,
    );
  }, []);
  const fixed = policy.messageLanguage;
  const [shown, setShown] = useState<LanguageTag>(fixed === 'request' ? 'en' : fixed);
  const ownCount = (tag: LanguageTag) => Object.keys(policy.messages[tag] ?? {}).length;
  return (
    <div className="grid gap-5">
      <div className="grid gap-5 md:grid-cols-2">
        <SelectField
          label={POLICY_FIELDS.messageLanguage.label}
          hint={POLICY_FIELDS.messageLanguage.help.replaceAll('`', '')}
          disabled={disabled}
          value={fixed}
          options={POLICY_FIELDS.messageLanguage.values.map((tag) => [
            tag,
            tag === 'request' ? 'Each request decides' : nameOf(tag),
          ])}
          onChange={(chosen) => {
            const messageLanguage = POLICY_FIELDS.messageLanguage.values.find((tag) => tag === chosen);
            if (messageLanguage !== undefined) onChange({ ...policy, messageLanguage });
          }}
        />
        <SelectField
          label={`${POLICY_FIELDS.messages.label} in`}
          hint={`${POLICY_FIELDS.messages.help} Leave a field empty to keep the built-in message.`}
          value={shown}
          options={LANGUAGE_TAGS.map((tag) => [
            tag,
            ownCount(tag) === 0 ? nameOf(tag) : `${nameOf(tag)} (${ownCount(tag)} replaced)`,
          ])}
          onChange={(chosen) => setShown(LANGUAGE_TAGS.find((tag) => tag === chosen) ?? 'en')}
        />
      </div>
      <div className="grid gap-4" lang={shown}>
        {CHECK_NAMES.map((name) => (
          <TextField
            key={name}
            label={<span lang="en">{CHECKS[name].title}</span>}
            dir="auto"
            maxLength={POLICY_FIELDS.messages.maxLength}
            disabled={disabled}
            placeholder={builtIn?.(shown, name).text}
            value={policy.messages[shown]?.[name] ?? ''}
            onChange={(text) => onChange(withMessage(policy, shown, name, text))}
          />
        ))}
      </div>
    </div>
  );
}

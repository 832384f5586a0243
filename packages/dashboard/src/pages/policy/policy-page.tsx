import {
  type builtInMessage,
  CHECK_NAMES,
  isCheckName,
  isPolicySignal,
  LANGUAGE_TAGS,
  type LanguageTag,
} from '@postern/contract';
import type { OutcomeRowView } from '@postern/contract/dashboard';
import { POLICY_FIELDS, type ProjectPolicy } from '@postern/contract/project-fields';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { outcomesQuery } from '../../api/outcome-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { useSaveProject } from '../../api/use-save-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { count, percent, plural } from '../../components/format.ts';
import { LastChanges } from '../../components/last-changes.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { changesIn, policyPatch, withMessage } from '../../components/policy-change.ts';
import { ActionFields, RuleFields, SIGNAL_LABELS } from '../../components/policy-fields.tsx';
import { SelectField, TextField } from '../../components/text-field.tsx';
import { TimeMachine } from '../../components/time-machine/time-machine.tsx';
import { AskBeforeLeaving, Clashes } from '../../components/unsaved.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { History } from '../../icons.ts';
import { VendorAccount } from './vendor-account.tsx';

/** What the page calls a setting of the policy: a check, a signal, a message in a language, or a field. */
function settingName([part = '', ...rest]: readonly string[]): string {
  const name = rest.at(-1) ?? part;
  const title = isCheckName(name) ? CHECKS[name].title : isPolicySignal(name) ? SIGNAL_LABELS[name] : name;
  if (part === 'messages') return `Message for ${title} (${rest[0]})`;
  return Object.hasOwn(POLICY_FIELDS, name) ? POLICY_FIELDS[name as keyof ProjectPolicy].label : title;
}

function resultText({ people, known, bad }: OutcomeRowView): string {
  const outcomes = `known: ${count(bad)} bad, ${count(known - bad)} good (${percent(known - bad, known)})`;
  return `In 90 days ${plural(people, 'person', 'people')} failed it; ${known === 0 ? 'nothing known of them' : outcomes}.`;
}

export function PolicyPage() {
  const project = useProject();
  const may = usePermissions();
  const edited = useDraft(project.policy);
  const { values: draft, set: setDraft, clashes } = edited;
  const [reviewing, setReviewing] = useState(false);
  const patch = policyPatch(project.policy, draft);
  const changes = changesIn(patch);
  const rows = useQuery(outcomesQuery(project.id, 90)).data?.rows.filter(({ kind }) => kind === 'check');
  const results = Object.fromEntries(rows?.map((row) => [row.name, resultText(row)]) ?? []);
  const save = useSaveProject(project, 'The policy is saved and applies to new requests.', () => {
    edited.discard();
    setReviewing(false);
  });
  if (reviewing && clashes.length > 0) setReviewing(false);
  return (
    <Page
      title="Checks"
      lead="Which checks run, and what happens when one fails. Before you save, you see what the change would have done to past sign-ups."
      margin={<LastChanges projectId={project.id} />}
    >
      {!may.change && (
        <Notice kind="note">You can read the policy. An admin or an owner can change it.</Notice>
      )}
      <Section
        title="Checks"
        lead="The strongest action among the failed checks is the recommendation. With “Allow”, a failure is only logged and reported as a signal."
      >
        <ActionFields policy={draft} onChange={setDraft} disabled={!may.change} results={results} />
      </Section>
      <Section title="Thresholds and exceptions">
        <RuleFields
          policy={draft}
          onChange={setDraft}
          disabled={!may.change}
          vendor={<VendorAccount projectId={project.id} mayChange={may.change} />}
        />
      </Section>
      <Section title="Messages" lead="What people read when an address is flagged or blocked.">
        <MessageFields policy={draft} onChange={setDraft} disabled={!may.change} />
      </Section>
      {changes > 0 && (
        <div className="sticky bottom-3 z-10 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line-strong bg-surface px-4 py-3 shadow-pop">
          <Clashes draft={edited} label={settingName} />
          <p>{plural(changes, 'change')} not saved yet</p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={edited.discard}>Discard</Button>
            <Button variant="primary" disabled={clashes.length > 0} onClick={() => setReviewing(true)}>
              <History size={15} /> See what would change
            </Button>
          </div>
        </div>
      )}
      <AskBeforeLeaving changed={changes > 0} text="The policy has changes that are not saved." />
      {reviewing && patch !== undefined && (
        <TimeMachine
          projectId={project.id}
          edited={{ policy: patch }}
          lead="What this policy would have answered to past sign-ups."
          backText="Back to the policy"
          onClose={() => setReviewing(false)}
          save={{
            text: 'Save the policy',
            busy: save.isPending,
            error: save.error,
            onSave: (reason) =>
              save.mutate({
                policy: patch,
                expected: { policy: policyPatch(draft, project.policy) },
                reason,
              }),
          }}
        />
      )}
    </Page>
  );
}

interface MessageFieldsProps {
  policy: ProjectPolicy;
  onChange: (policy: ProjectPolicy) => void;
  disabled?: boolean;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });
const nameOf = (tag: string) => languageNames.of(tag) ?? tag;

/** The language of the messages, and the project’s own texts. */
function MessageFields({ policy, onChange, disabled = false }: MessageFieldsProps) {
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

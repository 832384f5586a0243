import { CHECK_NAMES, resultKindOf } from '@postern/contract';
import type { PlaygroundAnswer, PlaygroundRequest } from '@postern/contract/dashboard';
import type { ProjectPolicy } from '@postern/contract/project-fields';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useProject } from '../../api/use-project.ts';
import { Badge, RecommendationBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { Choice } from '../../components/choice.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Form } from '../../components/form.tsx';
import { milliseconds } from '../../components/format.ts';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { policyPatch } from '../../components/policy-change.ts';
import { ActionFields, RuleFields } from '../../components/policy-fields.tsx';
import { RESULT_LOOKS } from '../../components/result-looks.ts';
import { TextField } from '../../components/text-field.tsx';

interface Trial {
  email: string;
  ip: string;
  fingerprintHash: string;
  userAgent: string;
}

const EXAMPLES = [
  ['An ordinary person', 'jane.doe@gmail.com'],
  ['A throwaway', 'someone@mailinator.com'],
  ['A misspelling', 'jane.doe@gmial.com'],
  ['A shared mailbox', 'info@example.com'],
  ['A tagged alias', 'jane.doe+trial7@gmail.com'],
] as const;

const EMPTY: Trial = { email: '', ip: '', fingerprintHash: '', userAgent: '' };

/** Asks the checks about an address. Above the page that one is on, whose unsaved work stays. */
export function TryDrawer({ onClose }: { onClose: () => void }) {
  const project = useProject();
  const [trial, setTrial] = useState(EMPTY);
  const [edited, setEdited] = useState<ProjectPolicy | undefined>();
  const ask = useMutation({
    meta: { quiet: true },
    mutationFn: (body: PlaygroundRequest) =>
      api('POST /projects/:id/playground', { id: project.id }, { body }),
  });
  const run = (what: Trial) => {
    const policy = edited === undefined ? undefined : policyPatch(project.policy, edited);
    const filled = Object.entries(what).filter(([, value]) => value.trim() !== '');
    ask.mutate({ email: what.email, ...Object.fromEntries(filled), ...(policy !== undefined && { policy }) });
  };
  const tryExample = (email: string) => {
    setTrial({ ...trial, email });
    run({ ...trial, email });
  };
  return (
    <Modal title="Try an address" drawer onClose={onClose}>
      <div className="grid grid-cols-1 gap-5">
        <p className="text-soft">As your backend would send it. Nothing is counted, logged or remembered.</p>
        <div className="flex flex-wrap items-center gap-1.5 text-[0.8667rem] text-soft">
          Try:
          {EXAMPLES.map(([name, example]) => (
            <Button key={name} small variant="quiet" onClick={() => tryExample(example)}>
              {name}
            </Button>
          ))}
        </div>
        <Form className="grid gap-4" onSubmit={() => run(trial)}>
          <TrialFields trial={trial} onChange={setTrial} />
          <Choice
            label="Policy"
            value={edited === undefined ? 'current' : 'edited'}
            options={{ current: 'This project', edited: 'Edited' }}
            onChange={(value) => setEdited(value === 'edited' ? project.policy : undefined)}
          />
          {edited !== undefined && (
            <div className="grid gap-4 rounded-lg border border-line px-3.5 pt-1 pb-4">
              <ActionFields policy={edited} onChange={setEdited} />
              <RuleFields policy={edited} onChange={setEdited} />
            </div>
          )}
          <Button variant="primary" type="submit" busy={ask.isPending}>
            Validate
          </Button>
        </Form>
        <div aria-live="polite">
          {ask.error !== null && <Notice kind="bad">{ask.error.message}</Notice>}
          {ask.data !== undefined && <Answer answer={ask.data} />}
        </div>
      </div>
    </Modal>
  );
}

function TrialFields({ trial, onChange }: { trial: Trial; onChange: (trial: Trial) => void }) {
  const bind = (name: keyof Trial) => ({
    autoComplete: 'off',
    spellCheck: false,
    value: trial[name],
    onChange: (value: string) => onChange({ ...trial, [name]: value }),
  });
  return (
    <>
      <TextField
        label="Email address"
        placeholder="jane.doe@gmail.com"
        autoCapitalize="off"
        {...bind('email')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="IP address (optional)" placeholder="203.0.113.7" {...bind('ip')} />
        <TextField
          label="Fingerprint (optional)"
          placeholder="a hash of the device"
          {...bind('fingerprintHash')}
        />
      </div>
      <TextField label="User agent (optional)" placeholder="Mozilla/5.0 …" {...bind('userAgent')} />
    </>
  );
}

function Answer({ answer: { status, body } }: { answer: PlaygroundAnswer }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={status === 200 ? 'neutral' : 'block'}>HTTP {status}</Badge>
        {'recommendation' in body && (
          <>
            <RecommendationBadge value={body.recommendation} />
            <span className="num text-[0.8667rem] text-faint">
              {milliseconds(body.metadata.totalLatency)}
            </span>
          </>
        )}
      </div>
      {'recommendation' in body && body.message !== null && (
        <p className="rounded-lg border border-line bg-sunken px-3 py-2 text-[0.9333rem]">
          <span className="block text-[0.8rem] text-faint">The person sees</span>
          {body.message}
        </p>
      )}
      {'checks' in body && (
        <ul className="grid gap-x-4 gap-y-1 text-[0.9rem] sm:grid-cols-2">
          {CHECK_NAMES.map((name) => {
            const result = body.checks[name];
            if (result === undefined) return null;
            const kind = resultKindOf(result);
            const { Icon, colour, word } = RESULT_LOOKS[kind];
            const why = kind === 'unknown' ? word : result.error;
            return (
              <li key={name} className="flex min-w-0 items-start gap-2" title={result.error}>
                <Icon size={16} aria-label={word} className={`mt-0.5 shrink-0 ${colour}`} />
                <span className="min-w-0">
                  {CHECKS[name].title}
                  {why !== undefined && <span className="block text-[0.8333rem] text-soft">{why}</span>}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      <CodeBlock code={JSON.stringify(body, null, 2)} label="answer" />
    </div>
  );
}

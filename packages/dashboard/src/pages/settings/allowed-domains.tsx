import type { OriginTest, ProjectView } from '@postern/contract/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { useProject } from '../../api/use-project.ts';
import { useSaveProject } from '../../api/use-save-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { AskBeforeLeaving } from '../../components/unsaved.tsx';
import { useDraft } from '../../components/use-draft.ts';
import { CircleCheck, CircleX } from '../../icons.ts';

const linesOf = (text: string) =>
  text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The origins that can use client keys. It explains each line, and has a field to try an origin. */
function AllowedDomains({ project, disabled }: { project: ProjectView; disabled: boolean }) {
  // By lines, so that both stay if two people add one each.
  const draft = useDraft(project.allowedDomains);
  const text = draft.values.join('\n');
  const save = useSaveProject(project, 'The allowed domains are saved.', draft.discard);
  const patterns = linesOf(text);
  const changed = patterns.join() !== project.allowedDomains.join();
  return (
    <Section title="Allowed domains" lead="Client keys work only from these origins. Server keys need none.">
      <Form className="grid gap-4" onSubmit={() => save.mutate({ allowedDomains: patterns })}>
        <Field
          label="One per line"
          error={save.error?.message}
          hint="example.com · *.example.com · localhost:3000 · localhost:* · app://com.example.app · https://example.com for https only"
        >
          {(props) => (
            <textarea
              {...props}
              rows={Math.min(Math.max(patterns.length + 1, 3), 10)}
              className="control font-mono"
              spellCheck={false}
              disabled={disabled}
              value={text}
              onChange={(event) => draft.set(event.target.value.split('\n'))}
            />
          )}
        </Field>
        {patterns.length === 0 ? (
          <Notice kind="warn">The list is empty: no page or app can use a client key.</Notice>
        ) : (
          <ul className="grid gap-1 text-[0.8667rem]">
            {patterns.map((pattern) => (
              <li key={pattern} className="grid gap-x-3 sm:grid-cols-[minmax(8rem,13rem)_minmax(0,1fr)]">
                <code className="font-mono wrap-anywhere">{pattern}</code>
                <span className="text-soft">{explainPattern(pattern)}</span>
              </li>
            ))}
          </ul>
        )}
        <Tester projectId={project.id} patterns={patterns} />
        <div className="flex justify-end gap-2">
          {changed && <Button onClick={() => draft.discard()}>Discard</Button>}
          <Button variant="primary" type="submit" busy={save.isPending} disabled={disabled || !changed}>
            Save the domains
          </Button>
        </div>
      </Form>
      <AskBeforeLeaving
        changed={changed}
        text="The list of allowed domains has changes that are not saved."
      />
    </Section>
  );
}

/** Asks the service about the unsaved list, so that the answer shows what will happen after saving. */
function Tester({ projectId, patterns }: { projectId: string; patterns: readonly string[] }) {
  const [origin, setOrigin] = useState('');
  const [asked, setAsked] = useState({ origin: '', patterns });
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ origin: origin.trim(), patterns }), 300);
    return () => clearTimeout(timer);
  }, [origin, patterns]);
  const test = useQuery({
    queryKey: ['origin-test', projectId, asked.origin, asked.patterns.join('\n')],
    enabled: asked.origin !== '' || asked.patterns.some((pattern) => pattern.includes('*.')),
    placeholderData: keepPreviousData,
    queryFn: () =>
      api(
        'POST /projects/:id/origin-test',
        { id: projectId },
        { body: { origin: asked.origin, allowedDomains: asked.patterns } },
      ),
  });
  return (
    <div className="grid gap-2 rounded-lg border border-line bg-sunken p-3">
      <TextField
        label="Try an origin"
        hint="As the browser sends it, such as https://app.example.com."
        className="font-mono"
        placeholder="https://app.example.com"
        spellCheck={false}
        value={origin}
        onChange={setOrigin}
      />
      <div aria-live="polite" className="min-h-6 text-[0.9rem]">
        {test.data !== undefined && <Verdict test={test.data} tried={asked.origin !== ''} />}
        {test.error !== null && <span className="text-block">{test.error.message}</span>}
      </div>
    </div>
  );
}

function Verdict({ test, tried }: { test: OriginTest; tried: boolean }) {
  return (
    <div className="grid gap-1">
      {tried &&
        (test.allowed ? (
          <p className="flex items-center gap-2 text-allow">
            <CircleCheck size={16} />
            <span>
              Allowed by <code className="font-mono wrap-anywhere">{test.matchedBy}</code>
            </span>
          </p>
        ) : (
          <p className="flex items-center gap-2 text-block">
            <CircleX size={16} /> Refused with 403: no line matches it
          </p>
        ))}
      {test.invalid.map(({ pattern, error }) => (
        <p key={pattern} className="text-flag">
          <code className="font-mono wrap-anywhere">{pattern}</code>: {error}
        </p>
      ))}
      {test.warnings.map(({ pattern, warning }) => (
        <p key={pattern} className="text-flag">
          {warning}
        </p>
      ))}
    </div>
  );
}

/** Which pages may use the project’s client keys. */
export function OriginsPage() {
  const project = useProject();
  const may = usePermissions();
  return (
    <Page title="Allowed domains">
      <AllowedDomains project={project} disabled={!may.change} />
    </Page>
  );
}

/** Explains a line of the allowed domains while it is typed. The service decides what it really allows. */
export function explainPattern(pattern: string): string {
  const text = pattern.trim().toLowerCase().replace(/\/$/, '');
  if (text.startsWith('app://')) {
    return text.length > 'app://'.length
      ? `the mobile app ${text.slice('app://'.length)}`
      : 'name the app after app://';
  }
  const app = /^(capacitor|ionic|tauri|(?:chrome|moz|safari-web)-extension):\/\/(.*)$/.exec(text);
  if (app) return app[2] === '' ? `write out what follows ${app[1]}://` : `exactly ${text}`;
  const scheme = /^(https?):\/\//.exec(text)?.[1];
  const rest = scheme === undefined ? text : text.slice(scheme.length + 3);
  if (rest === '*' || rest === '') return 'matches nothing: name a host';
  if (/[/?#@\s]/.test(rest)) return 'matches nothing: only scheme, host and port, no path';
  const colon = rest.lastIndexOf(':');
  const bracketed = rest.endsWith(']');
  const host = colon > 0 && !bracketed ? rest.slice(0, colon) : rest;
  const port = colon > 0 && !bracketed ? rest.slice(colon + 1) : undefined;
  if (host.slice(1).includes('*')) return 'matches nothing: a star stands only at the beginning, as *.';
  const where = host.startsWith('*.')
    ? `any subdomain of ${host.slice(2)}, at any depth, but not ${host.slice(2)} itself`
    : `exactly ${host}`;
  const by = scheme === undefined ? 'http or https' : `${scheme} only`;
  if (port === '*') return `${where}, on any port, ${by}`;
  return `${where}, ${port === undefined ? 'default port' : `port ${port}`}, ${by}`;
}

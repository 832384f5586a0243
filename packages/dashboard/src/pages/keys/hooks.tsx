import { HOOK_FORMAT_NAMES, HOOK_FORMATS, type HookFormat } from '@postern/contract';
import type { HookTestView, HookView, NewHookView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { hooksQuery } from '../../api/queries.ts';
import { useChange } from '../../api/use-change.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { ActionsHead, AgoCell, Cell, Table, WIDE_CELL } from '../../components/table.tsx';
import { SelectField, TextField } from '../../components/text-field.tsx';

type Question = { readonly what: 'rotate' | 'delete'; readonly hook: HookView };

/** The project’s sign-in servers that ask by themselves. */
export function Hooks({ projectId, mayChange }: { projectId: string; mayChange: boolean }) {
  const hooks = useQuery(hooksQuery(projectId));
  const [making, setMaking] = useState(false);
  const [question, setQuestion] = useState<Question | undefined>();
  const [issued, setIssued] = useState<NewHookView | undefined>();
  const [tested, setTested] = useState<HookTestView | undefined>();
  const test = useChange({
    send: ({ id }: HookView) => api('POST /projects/:id/hooks/:hookId/test', { id: projectId, hookId: id }),
    onDone: setTested,
  });
  return (
    <Section
      title="Hooks"
      flush
      lead="Supabase, Ory, WorkOS, Okta, ZITADEL and FusionAuth can ask Postern by themselves before they create a user."
      actions={mayChange && <Button onClick={() => setMaking(true)}>New hook</Button>}
    >
      <Loaded query={hooks} pending={<SkeletonRows rows={2} className="px-5 pb-5" />}>
        {(all) =>
          all.length > 0 && (
            <Table label="Hooks" head={HEAD} wideColumns={[1, 2]}>
              {all.map((hook) => (
                <tr key={hook.id}>
                  <Cell className="wrap-anywhere">
                    <div className="font-medium">{hook.name}</div>
                    <div className="font-mono text-[0.8rem] text-faint">{hook.url}</div>
                    {Object.keys(hook.open).length > 0 && (
                      <div className="text-[0.8rem] text-flag">
                        Let in without judging in 7 days: {openText(hook.open)}
                      </div>
                    )}
                  </Cell>
                  <Cell className={WIDE_CELL}>
                    <Badge>{HOOK_FORMATS[hook.format].server}</Badge>
                  </Cell>
                  <AgoCell at={hook.lastUsedAt} className={WIDE_CELL} />
                  <Cell>
                    {mayChange && (
                      <span className="flex flex-col justify-end gap-1.5 md:flex-row">
                        <Button small busy={test.isPending} onClick={() => test.mutate(hook)}>
                          Test
                        </Button>
                        <Button small onClick={() => setQuestion({ what: 'rotate', hook })}>
                          Rotate
                        </Button>
                        <Button small variant="danger" onClick={() => setQuestion({ what: 'delete', hook })}>
                          Delete
                        </Button>
                      </span>
                    )}
                  </Cell>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {making && <NewHook projectId={projectId} onClose={() => setMaking(false)} onMade={setIssued} />}
      {question?.what === 'rotate' && (
        <RotateHook hook={question.hook} onClose={() => setQuestion(undefined)} onMade={setIssued} />
      )}
      {question?.what === 'delete' && (
        <DeleteHook hook={question.hook} onClose={() => setQuestion(undefined)} />
      )}
      {issued !== undefined && (
        <ShownOnce
          title={`The secret of ${issued.name}`}
          secret={issued.secret}
          label="secret"
          warning="Copy it now. It cannot be shown again."
          onClose={() => setIssued(undefined)}
        >
          <pre className="overflow-x-auto text-[0.8rem] whitespace-pre-wrap">{issued.instructions}</pre>
        </ShownOnce>
      )}
      {tested !== undefined && <TestResult result={tested} onClose={() => setTested(undefined)} />}
    </Section>
  );
}

const HEAD = ['Hook', 'Server', 'Last called', <ActionsHead key="actions" />];
const FORMATS = HOOK_FORMAT_NAMES.map((name) => [name, HOOK_FORMATS[name].server] as const);

interface MakingProps {
  onClose: () => void;
  onMade: (hook: NewHookView) => void;
}

function NewHook({ projectId, onClose, onMade }: MakingProps & { projectId: string }) {
  const [format, setFormat] = useState<HookFormat>('supabase');
  const create = useChange({
    inline: true,
    send: () => api('POST /projects/:id/hooks', { id: projectId }, { body: { format } }),
    onDone: (hook) => {
      onClose();
      onMade(hook);
    },
  });
  return (
    <FormDialog title="New hook" action="Create the hook" change={create} onClose={onClose}>
      <SelectField
        label="Sign-in server"
        value={format}
        options={FORMATS}
        onChange={(value) => setFormat(value as HookFormat)}
      />
    </FormDialog>
  );
}

function RotateHook({ hook, onClose, onMade }: MakingProps & { hook: HookView }) {
  const [secret, setSecret] = useState('');
  const rotate = useChange({
    inline: true,
    send: () =>
      api(
        'POST /projects/:id/hooks/:hookId/rotate',
        { id: hook.projectId, hookId: hook.id },
        { body: secret.trim() === '' ? {} : { secret: secret.trim() } },
      ),
    onDone: (made) => {
      onClose();
      onMade(made);
    },
  });
  return (
    <FormDialog
      title={`Another secret for ${hook.name}`}
      action="Rotate the secret"
      change={rotate}
      onClose={onClose}
    >
      <TextField
        label="Secret of the server (optional)"
        hint="WorkOS and ZITADEL make the secret themselves. Paste it here. The old one stays valid for a day."
        value={secret}
        onChange={setSecret}
      />
    </FormDialog>
  );
}

function DeleteHook({ hook, onClose }: { hook: HookView; onClose: () => void }) {
  const change = useChange({
    inline: true,
    send: () => api('DELETE /projects/:id/hooks/:hookId', { id: hook.projectId, hookId: hook.id }),
    successText: 'The hook is deleted.',
    onDone: onClose,
  });
  return (
    <Confirm title={`Delete “${hook.name}”?`} action="Delete the hook" change={change} onClose={onClose}>
      <p>
        Its address answers 404 at once. Take it out of the sign-in server first, which would refuse people.
      </p>
    </Confirm>
  );
}

const OPEN_TEXT = {
  quota: 'quota used up',
  rate: 'rate reached',
  store: 'store away',
  time: 'too slow',
  fault: 'own fault',
} as const;

const openText = (open: HookView['open']) =>
  Object.entries(open)
    .map(([reason, count]) => `${count} (${OPEN_TEXT[reason as keyof typeof OPEN_TEXT]})`)
    .join(', ');

function TestResult({ result, onClose }: { result: HookTestView; onClose: () => void }) {
  return (
    <Modal title="Test call" onClose={onClose}>
      <div className="grid grid-cols-1 gap-4">
        <Notice kind={result.open === null ? 'good' : 'warn'}>
          {result.open === null
            ? `Postern judged jane.doe@gmail.com and answered ${result.status}. Nothing was counted.`
            : `Postern let the person in without judging: ${result.open}.`}
        </Notice>
        <pre className="max-h-80 overflow-auto text-[0.8rem] whitespace-pre-wrap">{result.body}</pre>
      </div>
    </Modal>
  );
}

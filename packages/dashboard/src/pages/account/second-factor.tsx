import { useMemo, useState } from 'react';
import type { encode } from 'uqr';
import { postAuth } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useSession } from '../../api/use-session.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Form } from '../../components/form.tsx';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { TextField } from '../../components/text-field.tsx';

interface Enrolment {
  totpURI: string;
  encode: typeof encode;
  backupCodes: string[];
}

export function SecondFactor() {
  const { twoFactorEnabled } = useSession();
  const [enrolment, setEnrolment] = useState<Enrolment | undefined>();
  const [renewed, setRenewed] = useState<readonly string[] | undefined>();
  const [password, setPassword] = useState('');
  const change = useChange({
    inline: true,
    send: async () => {
      // Pages load without it.
      const { encode } = await import('uqr');
      const path = `/two-factor/${twoFactorEnabled ? 'disable' : 'enable'}`;
      return { ...(await postAuth<Omit<Enrolment, 'encode'>>(path, { password })), encode };
    },
    onDone: (answer) => {
      setPassword('');
      if (!twoFactorEnabled) setEnrolment(answer);
    },
  });
  const renew = useChange({
    inline: true,
    send: () => postAuth<Pick<Enrolment, 'backupCodes'>>('/two-factor/generate-backup-codes', { password }),
    onDone: ({ backupCodes }) => {
      setPassword('');
      setRenewed(backupCodes);
    },
  });
  const error = change.error ?? renew.error;
  return (
    <Section
      title="Second factor"
      lead="In addition to your password, sign in with six digits from an authenticator app."
      actions={<Badge tone={twoFactorEnabled ? 'allow' : 'neutral'}>{twoFactorEnabled ? 'on' : 'off'}</Badge>}
    >
      <Form className="grid gap-3" onSubmit={() => change.mutate()}>
        <TextField
          label="Your password, to be sure that it is you"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
          beside={
            <>
              <Button type="submit" variant={twoFactorEnabled ? 'danger' : 'plain'} busy={change.isPending}>
                {twoFactorEnabled ? 'Switch off' : 'Switch on…'}
              </Button>
              {twoFactorEnabled && (
                <Button busy={renew.isPending} disabled={password === ''} onClick={() => renew.mutate()}>
                  New backup codes
                </Button>
              )}
            </>
          }
        />
        {error !== null && <Notice kind="bad">{error.message}</Notice>}
      </Form>
      {renewed !== undefined && (
        <Modal title="New backup codes" shownOnce onClose={() => setRenewed(undefined)}>
          <p className="mb-3 text-soft">The old ones no longer work. Each of these works once.</p>
          <BackupCodes codes={renewed} />
        </Modal>
      )}
      {enrolment !== undefined && <Enrol enrolment={enrolment} onClose={() => setEnrolment(undefined)} />}
    </Section>
  );
}

function Enrol({ enrolment, onClose }: { enrolment: Enrolment; onClose: () => void }) {
  const [code, setCode] = useState('');
  const verify = useChange({
    send: () => postAuth('/two-factor/verify-totp', { code: code.trim() }),
    inline: true,
    successText: 'The second factor is on.',
    onDone: onClose,
  });
  const secret = new URL(enrolment.totpURI).searchParams.get('secret') ?? '';
  return (
    <Modal title="Switch the second factor on" shownOnce onClose={onClose}>
      <Form className="grid gap-5" onSubmit={() => verify.mutate()}>
        <div className="flex flex-wrap items-center gap-5">
          <QrPicture enrolment={enrolment} label="QR code for the authenticator app" />
          <div className="min-w-0 flex-1 basis-48 text-[0.9rem]">
            <p>1. Scan this with an authenticator app, or type the key:</p>
            <p className="mt-1.5 flex items-center gap-1.5">
              <code className="font-mono text-[0.8333rem] break-all">{secret}</code>
              <CopyButton text={secret} label="Copy the key" bare />
            </p>
          </div>
        </div>
        <div className="grid gap-2 text-[0.9rem]">
          <p>2. Keep these backup codes. Each works once, when the app is not at hand.</p>
          <BackupCodes codes={enrolment.backupCodes} />
        </div>
        <TextField
          label="3. Enter the code that the app shows now"
          error={verify.error?.message}
          className="font-mono tracking-widest"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={setCode}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Not now</Button>
          <Button variant="primary" type="submit" busy={verify.isPending}>
            Switch it on
          </Button>
        </div>
      </Form>
    </Modal>
  );
}

function BackupCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div className="grid justify-items-start gap-2">
      <ul className="grid w-full grid-cols-2 gap-x-6 rounded-lg border border-line bg-sunken p-3 font-mono text-[0.8667rem]">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} label="Copy the backup codes" />
    </div>
  );
}

/** The light border that the standard asks for, in modules. */
const BORDER = 4;

/** Dark on light in both themes, because scanners expect it. */
function QrPicture({ enrolment, label }: { enrolment: Enrolment; label: string }) {
  const { data, size } = useMemo(
    () => enrolment.encode(enrolment.totpURI, { ecc: 'M', border: BORDER }),
    [enrolment],
  );
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 shrink-0 rounded-lg"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

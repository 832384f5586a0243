import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { postAuth } from '../api/client.ts';
import { Button } from './button.tsx';
import { Form } from './form.tsx';
import { Notice } from './notice.tsx';
import { TextField } from './text-field.tsx';

export function SecondFactorForm({ onDone }: { onDone: () => void }) {
  const [code, setCode] = useState('');
  const [backup, setBackup] = useState(false);
  const verify = useMutation({
    meta: { quiet: true },
    mutationFn: () =>
      postAuth(backup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp', { code: code.trim() }),
    onSuccess: onDone,
  });
  return (
    <Form className="grid gap-4" onSubmit={() => verify.mutate()}>
      <TextField
        label={backup ? 'Backup code' : 'Code'}
        autoFocus
        className="font-mono tracking-widest"
        inputMode={backup ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        required
        value={code}
        onChange={setCode}
      />
      {verify.error !== null && <Notice kind="bad">{verify.error.message}</Notice>}
      <Button variant="primary" type="submit" busy={verify.isPending}>
        Continue
      </Button>
      <Button
        variant="quiet"
        onClick={() => {
          setBackup(!backup);
          setCode('');
        }}
      >
        {backup ? 'Use the authenticator app' : 'Use a backup code'}
      </Button>
    </Form>
  );
}

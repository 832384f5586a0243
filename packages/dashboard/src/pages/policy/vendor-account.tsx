import type { CaptchaVendor } from '@postern/contract';
import type { StepUpVendorView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queryOf } from '../../api/query-of.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { TextField } from '../../components/text-field.tsx';

const VENDORS: Readonly<Record<CaptchaVendor, string>> = {
  turnstile: 'Turnstile',
  hcaptcha: 'hCaptcha',
  recaptcha: 'reCAPTCHA',
  friendly: 'Friendly Captcha',
};

/** The account at a CAPTCHA vendor that the step-up needs. It is saved by itself, and not with the policy. */
export function VendorAccount({ projectId, mayChange }: { projectId: string; mayChange: boolean }) {
  const [open, setOpen] = useState<'edit' | 'forget' | undefined>();
  const onClose = () => setOpen(undefined);
  const account = useQuery(queryOf('GET /projects/:id/step-up-vendor', { id: projectId }));
  const forget = useChange({
    inline: true,
    send: () => api('DELETE /projects/:id/step-up-vendor', { id: projectId }),
    successText: 'The account is forgotten, with its secret.',
    onDone: onClose,
  });
  if (account.data === undefined) return null;
  const { vendor, siteKey, away } = account.data;
  return (
    <section aria-label="CAPTCHA account">
      <p className="mb-1.5 text-[0.8667rem] font-medium">Account at your CAPTCHA vendor</p>
      <p className="mb-1.5 wrap-anywhere">
        {vendor === null ? (
          'None. “Your CAPTCHA vendor” needs one.'
        ) : (
          <>
            {VENDORS[vendor]}, site key <code className="font-mono">{siteKey}</code>. While it is away, people{' '}
            {away === 'flag' ? 'stay flagged' : 'pass'}.
          </>
        )}
      </p>
      {mayChange && (
        <p className="flex gap-2">
          <Button small onClick={() => setOpen('edit')}>
            {vendor === null ? 'Enter the account…' : 'Change…'}
          </Button>
          {vendor !== null && (
            <Button small onClick={() => setOpen('forget')}>
              Forget…
            </Button>
          )}
        </p>
      )}
      {open === 'edit' && <EditAccount projectId={projectId} before={account.data} onClose={onClose} />}
      {open === 'forget' && (
        <Confirm title="Forget the account?" action="Forget it" change={forget} onClose={onClose}>
          <p>The secret is deleted here. At the vendor nothing changes.</p>
        </Confirm>
      )}
    </section>
  );
}

interface EditAccountProps {
  projectId: string;
  before: StepUpVendorView;
  onClose: () => void;
}

function EditAccount({ projectId, before, onClose }: EditAccountProps) {
  const [vendor, setVendor] = useState(before.vendor ?? 'turnstile');
  const [siteKey, setSiteKey] = useState(before.siteKey);
  const [secret, setSecret] = useState('');
  const [away, setAway] = useState(before.away);
  const isKept = vendor === before.vendor;
  const save = useChange({
    inline: true,
    send: () =>
      api(
        'POST /projects/:id/step-up-vendor',
        { id: projectId },
        { body: { vendor, siteKey: siteKey.trim(), away, ...(secret !== '' && { secret: secret.trim() }) } },
      ),
    successText: 'The account is saved.',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Account at your CAPTCHA vendor"
      action="Save the account"
      change={save}
      onClose={onClose}
    >
      <Choice label="Vendor" value={vendor} options={VENDORS} onChange={setVendor} />
      <TextField label="Site key" required maxLength={200} value={siteKey} onChange={setSiteKey} />
      <TextField
        label="Secret"
        type="password"
        autoComplete="off"
        hint={
          isKept ? 'Leave it empty to keep the one that is stored.' : 'It is encrypted and never shown again.'
        }
        required={!isKept}
        maxLength={400}
        value={secret}
        onChange={setSecret}
      />
      <Choice
        label="While the vendor is away"
        value={away}
        options={{ flag: 'People stay flagged', allow: 'People pass' }}
        onChange={setAway}
      />
    </FormDialog>
  );
}

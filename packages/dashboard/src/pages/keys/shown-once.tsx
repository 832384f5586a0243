import type { NewKeyView } from '@postern/contract/dashboard';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { OnceSecret } from '../../components/code-block.tsx';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';

/** The secret of a new key. It cannot be shown again, because the service keeps only its hash. */
export function ShownOnce({ fresh }: { fresh: NewKeyView }) {
  const [open, setOpen] = useState(true);
  if (!open) return null;
  return (
    <Modal title={`Your ${fresh.type} key`} shownOnce onClose={() => setOpen(false)}>
      <div className="grid gap-4">
        <OnceSecret value={fresh.key} label="key" />
        <Notice kind="warn">
          Copy it now. Only a hash of it is kept, so it cannot be shown again.
          {fresh.type === 'server' && ' Keep it out of pages, apps and repositories.'}
        </Notice>
        <p className="text-[0.9rem] text-soft">The code on this page contains it until you leave.</p>
        <div className="flex justify-end">
          <Button variant="primary" onClick={() => setOpen(false)}>
            I have copied it
          </Button>
        </div>
      </div>
    </Modal>
  );
}

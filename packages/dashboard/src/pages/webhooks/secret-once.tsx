import type { NewWebhookView } from '@postern/contract/dashboard';
import { Button } from '../../components/button.tsx';
import { OnceSecret } from '../../components/code-block.tsx';
import { Modal } from '../../components/modal.tsx';
import { Notice } from '../../components/notice.tsx';
import { Moment } from '../../components/time.tsx';

interface SecretOnceProps {
  fresh: NewWebhookView;
  onClose: () => void;
}

/** The secret that deliveries are signed with. It is shown this once. */
export function SecretOnce({ fresh, onClose }: SecretOnceProps) {
  return (
    <Modal title="The webhook’s secret" shownOnce onClose={onClose}>
      <div className="grid grid-cols-1 gap-4">
        <OnceSecret value={fresh.secret} label="secret" />
        <Notice kind="warn">
          Copy it now; it is not shown again. Your receiver checks the signature of every delivery with it.
        </Notice>
        {fresh.previousSecretUntil !== null && (
          <p className="text-[0.9rem] text-soft">
            The old secret stays valid until <Moment at={fresh.previousSecretUntil} />, so that nothing breaks
            while you change over.
          </p>
        )}
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </div>
    </Modal>
  );
}

import { useState } from 'react';
import { Check, Copy } from '../icons.ts';
import { Button } from './button.tsx';
import { showToast } from './toasts.tsx';

interface CopyButtonProps {
  text: string;
  label?: string;
  /** Shows only the icon. Screen readers read the label. */
  bare?: boolean;
}

export function CopyButton({ text, label = 'Copy', bare = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch {
      showToast('The browser does not allow copying here. Select the text and copy it by hand.', true);
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button small variant={bare ? 'quiet' : 'plain'} onClick={() => void copy()}>
      <Icon size={14} className={copied ? 'text-allow' : undefined} />
      <span className={bare ? 'sr-only' : undefined} aria-live="polite">
        {copied ? 'Copied' : label}
      </span>
    </Button>
  );
}

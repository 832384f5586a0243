import { DAY_MS } from '@postern/contract';
import type { ListEntry } from '@postern/contract/project-fields';
import { useState } from 'react';
import { Button } from './button.tsx';
import { Form } from './form.tsx';
import { useInvalid } from './use-invalid.ts';

interface NewEntryProps {
  /** What the field is called, where a page has several. */
  label?: string;
  busy: boolean;
  onAdd: (entry: ListEntry, done: () => void) => void;
}

/** Adds an entry to a list. */
export function NewEntry({ label = 'Entry', busy, onAdd }: NewEntryProps) {
  const [value, setValue] = useState('');
  const [note, setNote] = useState('');
  const [days, setDays] = useState('');
  const invalid = useInvalid();
  const submit = () => {
    const entry = {
      value: value.trim(),
      ...(note.trim() !== '' && { note: note.trim() }),
      ...(days !== '' && { expiresAt: Date.now() + Number(days) * DAY_MS }),
    };
    onAdd(entry, () => {
      setValue('');
      setNote('');
    });
  };
  return (
    <Form className="flex flex-wrap gap-2 px-4 pb-4 sm:px-5" onSubmit={submit}>
      <input
        aria-label={label}
        className="control !w-auto min-w-0 flex-[2] basis-48 font-mono"
        placeholder="example.com, 203.0.113.0/24, AS64500"
        required
        spellCheck={false}
        value={value}
        onInvalid={invalid.onInvalid}
        aria-invalid={invalid.message !== undefined}
        onChange={(event) => {
          invalid.clear();
          setValue(event.target.value);
        }}
      />
      <input
        aria-label="Note"
        className="control !w-auto min-w-0 flex-1 basis-32"
        placeholder="Why (optional)"
        maxLength={200}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <select
        aria-label="How long"
        className="control !w-auto"
        value={days}
        onChange={(event) => setDays(event.target.value)}
      >
        <option value="">Permanent</option>
        <option value="1">1 day</option>
        <option value="7">7 days</option>
        <option value="30">30 days</option>
      </select>
      <Button type="submit" busy={busy}>
        Add
      </Button>
      {invalid.message !== undefined && (
        <p role="alert" className="basis-full text-[0.8667rem] text-block">
          {invalid.message}
        </p>
      )}
    </Form>
  );
}

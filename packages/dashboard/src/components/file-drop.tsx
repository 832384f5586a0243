import { clsx } from 'clsx';
import { type DragEvent, useId, useState } from 'react';
import { FileUp } from '../icons.ts';
import { buttonClass } from './button.tsx';

interface FileDropProps {
  onFile: (file: File) => void;
}

/** A file is dropped here, or chosen with the field inside. */
export function FileDrop({ onFile }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const hold = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: people without a mouse use the field inside.
    <div
      data-drop-zone
      onDragOver={hold}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={clsx(
        'grid justify-items-center gap-3 rounded-xl border-2 border-dashed px-6 py-10 text-center',
        over ? 'border-accent bg-accent-soft' : 'border-line-strong',
      )}
    >
      <FileUp size={26} className="text-accent" />
      <p id={`${id}-text`} className="font-semibold">
        Drop a CSV file here, or choose one
      </p>
      {/* The field itself is only for the keyboard and for screen readers: browsers draw it in their own way. */}
      <label
        className={clsx(buttonClass(), 'cursor-pointer focus-within:outline-2 focus-within:outline-accent')}
      >
        Choose a file
        <input
          type="file"
          aria-labelledby={`${id}-text`}
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          className="sr-only"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            // The same file can be chosen again after it was corrected.
            event.target.value = '';
            if (file !== undefined) onFile(file);
          }}
        />
      </label>
    </div>
  );
}

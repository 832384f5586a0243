import { clsx } from 'clsx';
import { FileUp } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';

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
      <FileUp size={26} aria-hidden="true" className="text-accent" />
      <label htmlFor={id} className="font-semibold">
        Drop a CSV file here, or choose one
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        className="control max-w-72"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // The same file can be chosen again after it was corrected.
          event.target.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </div>
  );
}

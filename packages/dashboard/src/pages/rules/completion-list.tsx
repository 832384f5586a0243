import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import type { Completion } from './completions.ts';

interface CompletionListProps {
  /** The ID of the text area. */
  id: string;
  options: readonly Completion[];
  active: number;
  onPoint: (index: number) => void;
  onChoose: (option: Completion) => void;
}

export const optionId = (id: string, index: number) => `${id}-option-${index}`;

/** What can stand at the cursor. The focus stays in the text area. */
export function CompletionList({ id, options, active, onPoint, onChoose }: CompletionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label="Suggestions"
      tabIndex={-1}
      className="absolute top-full right-0 left-0 z-10 mt-1 max-h-64 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-pop"
      // A press must not take the focus away from the text area, which would close the list.
      onPointerDown={(event) => event.preventDefault()}
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text area handles the keys.
        <div
          key={option.label}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={clsx(
            'flex cursor-pointer flex-wrap items-baseline gap-x-3 rounded-md px-2.5 py-1.5',
            index === active && 'bg-accent-soft',
          )}
          onPointerMove={() => index !== active && onPoint(index)}
          onClick={() => onChoose(option)}
        >
          <span className="font-mono text-[0.8667rem]">{option.label}</span>
          <span className="text-[0.8rem] text-soft">{option.type}</span>
          <span className="min-w-0 basis-full truncate text-[0.8333rem] text-soft">{option.meaning}</span>
        </div>
      ))}
    </div>
  );
}

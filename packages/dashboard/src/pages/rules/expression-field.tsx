import type { RuleCheck } from '@postern/contract/dashboard';
import { RULE_LIMITS } from '@postern/contract/rules';
import { clsx } from 'clsx';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { type Completion, type Completions, completionsAt } from './completions.ts';

interface ExpressionFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** The project’s named lists. */
  lists: readonly string[];
  /** What is wrong with the value as it stands. */
  fault: RuleCheck['fault'];
  /** What is right, but probably not meant. */
  warnings: RuleCheck['warnings'];
  disabled?: boolean;
}

const TEXT = 'p-3 font-mono text-[0.9rem] leading-6 whitespace-pre-wrap wrap-anywhere';
const MIN_ROWS = 4;

/** A text area for a condition, with a list of what can stand at the cursor. */
export function ExpressionField(props: ExpressionFieldProps) {
  const { value, onChange, lists, fault, warnings, disabled = false } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [found, setFound] = useState<Completions | undefined>();
  const [active, setActive] = useState(0);
  const cursor = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (cursor.current === undefined) return;
    area.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = undefined;
  });
  const look = (text: string, at: number, asked = false) => {
    setFound(completionsAt(text, at, lists, asked));
    setActive(0);
  };
  const choose = ({ insert, caret = insert.length }: Completion) => {
    if (found === undefined) return;
    const text = value.slice(0, found.from) + insert + value.slice(found.to);
    cursor.current = found.from + caret;
    onChange(text);
    // Inside new quotes, there may be something to choose again.
    look(text, cursor.current, false);
    area.current?.focus();
  };
  const onCompletionKey = ({ key, ctrlKey, currentTarget }: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (key === ' ' && ctrlKey) {
      look(value, currentTarget.selectionStart, true);
      return true;
    }
    const option = found?.options[active];
    if (found === undefined || option === undefined) return false;
    const { length } = found.options;
    if (key === 'ArrowDown') setActive((active + 1) % length);
    else if (key === 'ArrowUp') setActive((active + length - 1) % length);
    else if (key === 'Enter' || key === 'Tab') choose(option);
    else if (key === 'Escape') setFound(undefined);
    else return false;
    return true;
  };
  const described = [`${id}-hint`, `${id}-warnings`, ...(fault === null ? [] : [`${id}-fault`])].join(' ');
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[0.8667rem] font-medium">
        Condition
      </label>
      <div className="relative rounded-lg border border-line-strong bg-surface focus-within:border-accent has-aria-invalid:border-block">
        {fault !== null && <FaultMark text={value} fault={fault} className={TEXT} />}
        <textarea
          ref={area}
          id={id}
          // A text box that keeps the focus while the arrow keys walk through a list of suggestions.
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={found === undefined ? undefined : `${id}-list`}
          aria-activedescendant={found === undefined ? undefined : optionId(id, active)}
          aria-describedby={described}
          aria-invalid={fault === null ? undefined : true}
          className={`relative block min-h-28 w-full resize-none overflow-hidden rounded-lg bg-transparent [field-sizing:content] ${TEXT}`}
          rows={Math.max(MIN_ROWS, value.split('\n').length)}
          maxLength={RULE_LIMITS.characters}
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          placeholder={'ip.kind == "hosting" && email.class == "free"'}
          required
          disabled={disabled}
          value={value}
          onChange={({ target }) => {
            onChange(target.value);
            look(target.value, target.selectionStart);
          }}
          onKeyDown={(event) => onCompletionKey(event) && event.preventDefault()}
          onBlur={() => setFound(undefined)}
        />
        {found !== undefined && (
          <CompletionList
            id={id}
            options={found.options}
            active={active}
            onPoint={setActive}
            onChoose={choose}
          />
        )}
      </div>
      <p role="status" className="sr-only">
        {found === undefined ? '' : `${found.options.length} suggestions. Arrow keys choose, Enter accepts.`}
      </p>
      {fault !== null && (
        <p id={`${id}-fault`} className="text-[0.8667rem] text-block wrap-anywhere">
          Line {fault.line}, column {fault.column}: {fault.message}
        </p>
      )}
      <div id={`${id}-warnings`} role="status" className="text-[0.8667rem] text-flag wrap-anywhere">
        {warnings.map(({ line, column, message }) => (
          <p key={`${line}:${column}`}>
            Line {line}, column {column}: {message}
          </p>
        ))}
      </div>
      <p id={`${id}-hint`} className="text-[0.8667rem] text-faint">
        Type a few letters of a fact, or press Ctrl and Space to see them all. <code>&&</code> is and,{' '}
        <code>||</code> is or, <code>!</code> is not.
      </p>
    </div>
  );
}

interface FaultMarkProps {
  text: string;
  fault: NonNullable<RuleCheck['fault']>;
  /** The look of the text area above it, so that both break their lines alike. */
  className: string;
}

/** Underlines the place of a fault, behind a text area with the same text. */
function FaultMark({ text, fault, className }: FaultMarkProps) {
  const at = offsetOf(text, fault);
  // The word at the place, or one sign; at the end of the text, a space.
  const wrong = /^(?:[\w.]+|[^\n])/u.exec(text.slice(at))?.[0] ?? ' ';
  return (
    <pre
      aria-hidden="true"
      className={`pointer-events-none absolute inset-0 overflow-hidden text-transparent ${className}`}
    >
      {text.slice(0, at)}
      <mark className="bg-block-soft text-transparent underline decoration-block decoration-wavy decoration-2 underline-offset-4">
        {wrong}
      </mark>
      {text.slice(at + wrong.length)}
    </pre>
  );
}

/** Lines and columns count from 1. */
function offsetOf(text: string, { line, column }: FaultMarkProps['fault']): number {
  const before = text.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, each) => sum + each.length + 1, 0);
  return Math.min(text.length, start + column - 1);
}

interface CompletionListProps {
  /** The ID of the text area. */
  id: string;
  options: readonly Completion[];
  active: number;
  onPoint: (index: number) => void;
  onChoose: (option: Completion) => void;
}

const optionId = (id: string, index: number) => `${id}-option-${index}`;

/** What can stand at the cursor. The focus stays in the text area. */
function CompletionList({ id, options, active, onPoint, onChoose }: CompletionListProps) {
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

import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Pick } from '../../components/pick.tsx';
import {
  CONDITION_SHAPES,
  type ConditionShape,
  type ConditionShapeName,
  type Join,
  valuesOf,
} from './condition-shapes.ts';

interface ConditionFormProps {
  /** Whether there is a condition already, to which the new one is joined. */
  joins: boolean;
  onAdd: (join: Join, condition: string, negated: boolean) => void;
}

const SHAPES = Object.entries(CONDITION_SHAPES) as [ConditionShapeName, ConditionShape][];

/** Writes a common condition into the text area. */
export function ConditionForm({ joins, onAdd }: ConditionFormProps) {
  const [name, setName] = useState<ConditionShapeName>('country');
  const [join, setJoin] = useState<Join>('and');
  const [negated, setNegated] = useState(false);
  const [typed, setTyped] = useState('');
  const shape: ConditionShape = CONDITION_SHAPES[name];
  const value = shape.options === undefined || typed !== '' ? typed : (shape.options[0]?.[0] ?? '');
  const values = valuesOf(shape, value);
  const ready = shape.input === 'none' || values.length > 0;
  const add = () => {
    if (!ready) return;
    onAdd(join, shape.write(values), negated);
    setTyped('');
    setNegated(false);
  };
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2 rounded-lg border border-line bg-sunken px-3.5 py-3">
      <legend className="float-left mb-1 text-[0.8667rem] font-medium">
        Add a condition without typing it
      </legend>
      <div className="clear-both flex flex-wrap items-center gap-2">
        {joins && (
          <select
            aria-label="Joined with"
            className="control !w-auto"
            value={join}
            onChange={(event) => setJoin(event.target.value as Join)}
          >
            <option value="and">and</option>
            <option value="or">or</option>
          </select>
        )}
        <label className="flex items-center gap-1.5 text-[0.9rem]">
          <input type="checkbox" checked={negated} onChange={(event) => setNegated(event.target.checked)} />
          not
        </label>
        <Pick
          label="Kind of condition"
          className="!w-auto max-w-full"
          value={name}
          onChange={(picked) => {
            setName(picked as ConditionShapeName);
            setTyped('');
          }}
        >
          {SHAPES.map(([each, { label }]) => [each, label] as const)}
        </Pick>
        <ShapeValue shape={shape} value={value} onChange={setTyped} onEnter={add} />
        <Button disabled={!ready} onClick={add}>
          Add
        </Button>
      </div>
    </fieldset>
  );
}

interface ShapeValueProps {
  shape: ConditionShape;
  value: string;
  onChange: (value: string) => void;
  onEnter: () => void;
}

function ShapeValue({ shape, value, onChange, onEnter }: ShapeValueProps) {
  if (shape.input === 'none') return null;
  if (shape.options !== undefined)
    return (
      <Pick label={shape.label} className="!w-auto max-w-full" value={value} onChange={onChange}>
        {shape.options}
      </Pick>
    );
  const isNumber = shape.input === 'number';
  return (
    <input
      aria-label={shape.label}
      className="control !w-auto min-w-0 flex-1 basis-32"
      placeholder={shape.placeholder}
      {...(isNumber && { type: 'number', min: 0 })}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        // Enter would save the rule.
        if (event.key !== 'Enter') return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}

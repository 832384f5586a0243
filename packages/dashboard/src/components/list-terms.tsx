import { DAY_MS } from '@postern/contract';
import { useState } from 'react';
import { SelectField, TextField } from './text-field.tsx';

/** Why an entry is added to a list, and until when it holds. */
interface ListTerms {
  readonly note: string;
  /** `''`: without an end. */
  readonly days: string;
}

interface ListTermsFieldsProps {
  terms: ListTerms;
  onChange: (terms: ListTerms) => void;
}

const ENDS = [1, 7, 30, 90];

function ListTermsFields({ terms, onChange }: ListTermsFieldsProps) {
  return (
    <>
      <TextField
        label="Why (optional)"
        maxLength={200}
        value={terms.note}
        onChange={(note) => onChange({ ...terms, note })}
      />
      <SelectField
        label="Until"
        value={terms.days}
        options={[
          ['', 'No end date'],
          ...ENDS.map((days) => [String(days), days === 1 ? 'In 24 hours' : `In ${days} days`] as const),
        ]}
        onChange={(days) => onChange({ ...terms, days })}
      />
    </>
  );
}

/** The terms, the part of an entry that they become, and how long it holds in words: “from now on”, “for 7 days”. */
export function useListTerms(proposedNote = '', proposedDays?: number) {
  const [terms, setTerms] = useState<ListTerms>({ note: proposedNote, days: String(proposedDays ?? '') });
  const note = terms.note.trim();
  const days = Number(terms.days);
  return {
    fields: <ListTermsFields terms={terms} onChange={setTerms} />,
    entry: () => ({
      ...(note !== '' && { note }),
      ...(days > 0 && { expiresAt: Date.now() + days * DAY_MS }),
    }),
    howLong: howLong(days),
  };
}

/** No days: without an end. */
function howLong(days: number): string {
  return days === 1 ? 'for 24 hours' : days > 0 ? `for ${days} days` : 'from now on';
}

import type { Reach } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, failureText } from '../api/client.ts';
import { count, dayOf, percent, plural } from './format.ts';
import { Notice } from './notice.tsx';
import { TextField } from './text-field.tsx';

/** Above this share of the project’s sign-ups the name must be typed. */
const LARGE_SHARE = 0.01;

/** Whom entries of a list would have concerned. The form can be sent once that is shown and, if they are many, confirmed. */
export function useReach(projectId: string, values: readonly string[], name: string) {
  const [typed, setTyped] = useState('');
  const reach = useQuery({
    queryKey: ['reach', projectId, values],
    enabled: values.length > 0,
    queryFn: ({ signal }) =>
      api('POST /projects/:id/reach', { id: projectId }, { body: { values: [...values] }, signal }),
  });
  if (values.length === 0) return { shown: null, ready: false };
  if (reach.isError) return { shown: <Notice kind="bad">{failureText(reach.error)}</Notice>, ready: false };
  if (reach.data === undefined)
    return { shown: <Notice kind="note">Counting who came from here…</Notice>, ready: false };
  const { share, people, good } = reach.data;
  const many = share > LARGE_SHARE && people > 1;
  return {
    shown: (
      <>
        <Notice kind={many || good > 0 ? 'warn' : 'note'}>{reachText(reach.data)}</Notice>
        {many && (
          <TextField
            label={`That is ${percent(share, 1)} of the project’s sign-ups. Type ${name} to confirm`}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={setTyped}
          />
        )}
      </>
    ),
    ready: !many || typed.trim() === name,
  };
}

/** “In 30 days 423 people came from here: 147 known good, 6 known bad, 270 unknown.” */
export function reachText({ days, since, people, good, bad, unknown }: Reach): string {
  const time = since === null ? `In ${days} days` : `Since ${dayOf(since)}, the newest 100,000 sign-ups,`;
  if (people === 0) return `${time} nobody came from here.`;
  const known = `${count(good)} known good, ${count(bad)} known bad, ${count(unknown)} unknown`;
  return `${time} ${plural(people, 'person', 'people')} came from here: ${known}.`;
}

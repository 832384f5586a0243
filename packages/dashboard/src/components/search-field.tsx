import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { api } from '../api/client.ts';
import { LoaderCircle, Search } from '../icons.ts';
import { useGoTo } from './use-go-to.ts';

/** Finds a person, device, domain, network or request. The text goes to the service in a body, never in a URL. */
export function SearchField({ projectId }: { projectId: string }) {
  const [text, setText] = useState('');
  const [nothing, setNothing] = useState<string | undefined>();
  const id = useId();
  const go = useGoTo(projectId);
  const find = useMutation({
    mutationFn: () => api('POST /projects/:id/search', { id: projectId }, { body: { text: text.trim() } }),
    onSuccess: (answer) => {
      if (answer.kind === 'nothing') return setNothing(answer.message);
      setText('');
      void go(answer);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') find.mutate();
  };
  return (
    <search aria-label="The whole project">
      <form onSubmit={submit} className="relative">
        {find.isPending ? (
          <LoaderCircle
            size={15}
            aria-hidden="true"
            className="absolute top-2.5 left-2.5 animate-spin text-faint"
          />
        ) : (
          <Search size={15} aria-hidden="true" className="absolute top-2.5 left-2.5 text-faint" />
        )}
        <input
          type="search"
          aria-label="Find an address, domain, IP address, network, operator, request ID or device"
          aria-describedby={nothing === undefined ? undefined : `${id}-nothing`}
          className="control !min-h-9 !pl-8 text-[0.8667rem]"
          placeholder="Find anyone…"
          title="An address, a domain, an IP address, a network such as AS3320 or its operator’s name, a request ID or a device. What the pages show is enough: a masked address, the first letters of a hash."
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setNothing(undefined);
          }}
        />
      </form>
      {nothing !== undefined && (
        <p id={`${id}-nothing`} role="status" className="px-1 pt-1 text-[0.8333rem] text-soft">
          {nothing}
        </p>
      )}
    </search>
  );
}

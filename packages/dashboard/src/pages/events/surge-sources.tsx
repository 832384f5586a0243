import { DAY_MS } from '@postern/contract';
import { Ban } from 'lucide-react';
import { useProject } from '../../api/use-project.ts';
import { Button } from '../../components/button.tsx';
import { count } from '../../components/format.ts';
import { listedText } from '../../components/list-effect.ts';
import { showToast } from '../../components/toasts.tsx';
import { useListChange } from '../../components/use-list-change.ts';
import type { Source, Surge } from './surge.ts';

interface SurgeSourcesProps {
  projectId: string;
  surge: Surge;
  mayChange: boolean;
}

/** Where a surge comes from, with a button that blocks a source for a day. */
export function SurgeSources({ projectId, surge, mayChange }: SurgeSourcesProps) {
  const change = useListChange(projectId);
  const { blockList } = useProject();
  const blocked = new Set(
    blockList
      .filter(({ expiresAt }) => (expiresAt ?? Number.POSITIVE_INFINITY) > Date.now())
      .map(({ value }) => value),
  );
  const block = ({ name }: Source) =>
    change.mutate(
      {
        changes: [
          {
            list: 'blockList',
            add: { value: name, note: 'Surge of sign-ups', expiresAt: Date.now() + DAY_MS },
          },
        ],
        successText: listedText('blockList', name, 'for 24 hours'),
      },
      { onError: (error) => showToast(error.message, true) },
    );
  const groups = (
    [
      { title: 'Domains', sources: surge.domains, listable: true },
      { title: 'Networks', sources: surge.networks, listable: true },
      { title: 'Name patterns', sources: surge.patterns, listable: false },
      { title: 'Signals', sources: surge.signals, listable: false },
    ] as const
  ).filter(({ sources }) => sources.length > 0);
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
      {groups.map(({ title, sources, listable }) => (
        <section key={title} aria-label={title} className="min-w-0 rounded-lg border border-line px-3 py-2">
          <h3 className="text-[0.8333rem] text-faint">{title}</h3>
          <ul className="grid gap-1.5 pt-1 text-[0.9rem]">
            {sources.map((source) => (
              <li key={source.name} className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="min-w-0 font-mono text-[0.8333rem] wrap-anywhere">{source.name}</span>
                <span className="num text-soft">{count(source.count)}</span>
                {blocked.has(source.name) ? (
                  <span className="text-[0.8333rem] text-block">on the block list</span>
                ) : (
                  mayChange &&
                  listable &&
                  !source.mailProvider && (
                    <Button small variant="danger" disabled={change.isPending} onClick={() => block(source)}>
                      <Ban size={13} aria-hidden="true" />
                      <span>
                        Block <span className="sr-only">{source.name}</span> for 24 hours
                      </span>
                    </Button>
                  )
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

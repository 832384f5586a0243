import type { SavedView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { viewsQuery } from '../../api/view-queries.ts';
import { lazyDialog } from '../../components/lazy-dialog.tsx';
import { PopupMenu } from '../../components/popup-menu.tsx';
import { Bookmark, Check, ChevronDown, Pencil, Plus } from '../../icons/index.js';
import { type Filters, isFiltered, readFilters, sameFilters } from './filters.ts';

const load = () => import('./saved-view-dialogs.tsx');
const SaveViewDialog = lazyDialog(async () => (await load()).SaveViewDialog);
const ManageViewsDialog = lazyDialog(async () => (await load()).ManageViewsDialog);

interface SavedViewsProps {
  projectId: string;
  filters: Filters;
  onPick: (filters: Filters) => void;
}

/** A menu of the person’s own views and of shared ones: sets of filters with a name. */
export function SavedViews({ projectId, filters, onPick }: SavedViewsProps) {
  const { data: views = [] } = useQuery(viewsQuery(projectId));
  const [dialog, setDialog] = useState<'save' | 'manage' | undefined>();
  const current = views.find((view) => sameFilters(filtersOf(view), filters));
  const name = current?.name ?? 'Views';
  const own = views.filter(({ owner }) => owner === null);
  const close = () => setDialog(undefined);
  return (
    <>
      <PopupMenu
        label={current === undefined ? 'Saved views' : `Saved views: ${name}`}
        className="control flex items-center justify-between gap-2 text-left sm:!w-auto sm:max-w-56"
        button={
          <>
            <Bookmark size={14} aria-hidden="true" className="shrink-0 text-faint" />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <ChevronDown size={14} aria-hidden="true" className="shrink-0 text-faint" />
          </>
        }
        heading={
          views.length === 0 && (
            <p className="max-w-60 px-2.5 pb-1.5 text-[0.8667rem] text-faint">
              Save filters under a name to come back to them, for yourself or for everybody.
            </p>
          )
        }
        entries={[
          ...views.map((view) => ({
            key: view.id,
            label: (
              <span className="wrap-anywhere">
                {view.name}
                {view.owner !== null && <span className="text-faint"> by {view.owner}</span>}
              </span>
            ),
            icon: view === current ? <Check size={15} aria-hidden="true" /> : <span className="size-3.5" />,
            onPick: () => onPick(filtersOf(view)),
          })),
          ...(isFiltered(filters) && current === undefined
            ? [
                {
                  key: 'save',
                  label: 'Save these filters…',
                  icon: <Plus size={15} aria-hidden="true" />,
                  separated: views.length > 0,
                  onPick: () => setDialog('save'),
                },
              ]
            : []),
          ...(own.length > 0
            ? [
                {
                  key: 'manage',
                  label: 'Rename or delete…',
                  icon: <Pencil size={15} aria-hidden="true" />,
                  separated: isFiltered(filters) && current === undefined ? false : views.length > 0,
                  onPick: () => setDialog('manage'),
                },
              ]
            : []),
        ]}
      />
      {dialog === 'save' && <SaveViewDialog projectId={projectId} filters={filters} onClose={close} />}
      {dialog === 'manage' && <ManageViewsDialog projectId={projectId} views={own} onClose={close} />}
    </>
  );
}

/** Read like the address bar: the service stores any text as a filter. */
const filtersOf = ({ filters }: SavedView): Filters => readFilters({ ...filters });

/** A member’s saved views of one project’s log: names for sets of filters. */
export interface ViewStore {
  list(projectId: string, memberId: string): Promise<ViewRow[]>;
  /** `full`: the member already has `most` views. */
  add(view: NewView, most: number): Promise<'done' | 'name-taken' | 'full'>;
  change(view: ViewChange): Promise<'done' | 'name-taken' | 'unknown'>;
  remove(projectId: string, memberId: string, id: string): Promise<boolean>;
}

export interface ViewRow {
  readonly id: string;
  readonly name: string;
  /** As the address bar of the log holds them. */
  readonly filters: Readonly<Record<string, string | number>>;
  readonly createdAt: number;
}

export interface NewView extends ViewRow {
  readonly projectId: string;
  readonly memberId: string;
}

export interface ViewChange extends Pick<NewView, 'projectId' | 'memberId' | 'id'> {
  readonly name?: string | undefined;
  readonly filters?: ViewRow['filters'] | undefined;
}

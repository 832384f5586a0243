interface Options<Value> {
  readonly read: (projectId: string) => Promise<Value>;
  /** What is known before the first read, and after one that failed. */
  readonly nothing: Value;
  readonly everyMs: number;
  readonly mostProjects: number;
  readonly now: () => number;
  readonly onFault: (fault: unknown) => void;
}

export interface BackgroundReads<Value> {
  /** What was last read about the project. Never waits: the first question of a project has the store read. */
  readonly of: (projectId: string) => Value;
  /** There is something new to read. */
  readonly renew: (projectId: string) => void;
}

/** Reads something about each project in the background, one project at a time, for the requests after that. */
export function createBackgroundReads<Value>(options: Options<Value>): BackgroundReads<Value> {
  const { read, nothing, everyMs, mostProjects, now, onFault } = options;
  const known = new Map<string, { readonly value: Value; readonly until: number }>();
  const waiting = new Set<string>();
  let readingProject: string | undefined;

  const readWaiting = async (): Promise<void> => {
    for (const projectId of waiting) {
      waiting.delete(projectId);
      readingProject = projectId;
      const value = await read(projectId).catch((fault: unknown) => {
        onFault(fault);
        return nothing;
      });
      known.delete(projectId);
      known.set(projectId, { value, until: now() + everyMs });
      const [oldest] = known.keys();
      if (known.size > mostProjects && oldest !== undefined) known.delete(oldest);
    }
    readingProject = undefined;
  };

  const renew = (projectId: string): void => {
    if (waiting.size >= mostProjects) return;
    waiting.add(projectId);
    if (readingProject === undefined) void readWaiting();
  };

  return {
    of(projectId) {
      const project = known.get(projectId);
      if ((project === undefined || project.until < now()) && readingProject !== projectId) renew(projectId);
      return project === undefined ? nothing : project.value;
    },
    renew,
  };
}

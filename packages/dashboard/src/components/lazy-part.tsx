import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { loadOnce } from './load-once.ts';

interface LazyPartProps {
  /** Called if the file cannot be loaded: the service does not answer, or it was updated and has other files now. */
  onMissing: () => void;
  whileLoading?: ReactNode;
}

export interface LazyPart<Props> {
  (props: Props & LazyPartProps): ReactNode;
  /** Loads the file before it is needed. A failure is not reported: rendering the part tries again. */
  preload: () => void;
}

/**
 * A part of a page in a file of its own. If the file cannot be loaded, React’s `lazy` replaces the whole page with an
 * error, and what was typed there is lost. This one shows nothing and lets the caller decide.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let part: ComponentType<Props> | undefined;
  const start = loadOnce(async () => {
    part = await load();
  });
  function Part({ onMissing, whileLoading = null, ...props }: Props & LazyPartProps) {
    const [, setLoaded] = useState(part !== undefined);
    // biome-ignore lint/correctness/useExhaustiveDependencies: the file is loaded once, whatever the props are by then.
    useEffect(() => {
      let gone = false;
      start().then(
        () => gone || setLoaded(true),
        () => gone || onMissing(),
      );
      return () => {
        gone = true;
      };
    }, []);
    const Loaded = part;
    return Loaded === undefined ? whileLoading : <Loaded {...(props as unknown as Props)} />;
  }
  Part.preload = () => void start().catch(() => undefined);
  return Part;
}

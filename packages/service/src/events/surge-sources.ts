import { isMailProvider } from '../model/mail-providers.ts';
import type { NamedCount, SourceFilter, SourceSpan, SourceStore } from '../store/tables/source-table.ts';

interface DomainSource extends NamedCount {
  /** Many unrelated people share the domain. */
  readonly mailProvider?: true;
}

export const SOURCES_REPORTED = 5;

/** Where the people of a surge came from, for its event. */
export async function sourcesOf(
  sources: SourceStore,
  span: SourceSpan,
  filter: SourceFilter,
): Promise<{ domains: DomainSource[]; networks: NamedCount[]; patterns: NamedCount[] }> {
  const domains = await sources.mostFrequent(span, 'domain', filter, SOURCES_REPORTED);
  return {
    domains: domains.map((source) => ({
      ...source,
      ...(isMailProvider(source.name) && { mailProvider: true }),
    })),
    networks: await sources.mostFrequent(span, 'network', filter, SOURCES_REPORTED),
    patterns: await sources.mostFrequent(span, 'pattern', filter, SOURCES_REPORTED),
  };
}

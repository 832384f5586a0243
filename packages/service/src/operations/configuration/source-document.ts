import { InvalidInput } from '../administration.ts';

export type Path = readonly (string | number)[];

/** One document of a file, with the place of each of its values. */
export interface SourceDocument {
  readonly value: unknown;
  /** `file:line:column` of the value, or of the nearest one around it. */
  readonly placeOf: (path: Path) => string;
}

/** A file cannot be applied. Each fault has its place and says what was expected. */
export class ConfigurationFault extends Error {
  override readonly name = 'ConfigurationFault';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const MAX_FAULTS = 20;

/** Collects the faults of all documents, so that one run shows them together. */
export function faultCollector() {
  const faults: string[] = [];
  const add = (document: SourceDocument, path: Path, message: string) => {
    const name = path.join('.');
    faults.push(`${document.placeOf(path)}: ${name === '' ? '' : `${name}: `}${message}`);
  };
  return {
    add,
    /** The result of the work, or `undefined` if its input is invalid. */
    attempt<T>(document: SourceDocument, path: Path, work: () => T): T | undefined {
      const note = (error: unknown): undefined => {
        if (!(error instanceof InvalidInput)) throw error;
        // In what was looked at, or beside it.
        const around = [path, path.slice(0, -1)].find((each) => hasField(document.value, each, error.field));
        add(document, around === undefined ? path : [...around, error.field], error.message);
        return undefined;
      };
      try {
        const result = work();
        return result instanceof Promise ? (result.catch(note) as T) : result;
      } catch (error) {
        return note(error);
      }
    },
    throwIfAny(): void {
      if (faults.length === 0) return;
      const more = faults.length - MAX_FAULTS;
      throw new ConfigurationFault([
        ...faults.slice(0, MAX_FAULTS),
        ...(more > 0 ? [`… and ${more} more.`] : []),
      ]);
    },
  };
}

export type FaultCollector = ReturnType<typeof faultCollector>;

function hasField(value: unknown, path: Path, field: string): boolean {
  let found: unknown = value;
  for (const part of path) found = (found as Record<string | number, unknown> | undefined)?.[part];
  return typeof found === 'object' && found !== null && Object.hasOwn(found, field);
}

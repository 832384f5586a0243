import { open, writeFile } from 'node:fs/promises';
import {
  type BulkFile,
  type BulkFileLimits,
  bulkResultHeader,
  bulkResultLine,
  readBulkFile,
} from '@postern/contract/bulk-file';
import { CsvFault } from '@postern/contract/csv';
import type { BulkResult } from '@postern/contract/dashboard';
import { UsageError } from './failure.ts';
import { readBounded } from './read-bounded.ts';

// The dashboard allows less, because a long file there would slow other people’s requests down.
export const MAX_FILE_MIB = 64;
export const FILE_LIMITS: BulkFileLimits = { maxRows: 200_000, maxRowLength: 10_000 };

/** Reads `--file`: a path, or `-` for standard input. */
export async function readAddressFile(path: string, stdin: AsyncIterable<Uint8Array>): Promise<BulkFile> {
  try {
    const source = path === '-' ? stdin : (await open(path)).createReadStream();
    const bytes = await readBounded(source, MAX_FILE_MIB * 1024 * 1024);
    if (bytes === undefined) throw new CsvFault(`the file is larger than ${MAX_FILE_MIB} MiB; split it`);
    return readBulkFile(bytes, FILE_LIMITS);
  } catch (error) {
    if (error instanceof CsvFault) throw new UsageError(`--file '${path}': ${error.message}.`);
    throw new UsageError(
      `--file '${path}' cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Writes the file’s columns and the result of each row. Rows without a result were not checked and are left out. */
export async function writeResultFile(
  path: string,
  file: BulkFile,
  results: readonly Omit<BulkResult, 'index'>[],
): Promise<void> {
  const lines = file.rows.flatMap((row, index) => {
    const result = results[index];
    return result === undefined ? [] : [bulkResultLine(file, row, result)];
  });
  try {
    await writeFile(path, [bulkResultHeader(file), ...lines].join(''), { mode: 0o600 });
  } catch (error) {
    throw new UsageError(
      `--output '${path}' cannot be written: ${error instanceof Error ? error.message : error}`,
    );
  }
}

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

/** A machine of its own can check more than a dashboard that serves others. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const LIMITS: BulkFileLimits = { maxRows: 200_000, maxRowLength: 10_000 };

/** Reads `--file`: a path, or `-` for standard input. */
export async function readAddressFile(path: string, stdin: AsyncIterable<Uint8Array>): Promise<BulkFile> {
  try {
    const source = path === '-' ? stdin : (await open(path)).createReadStream();
    return readBulkFile(await readBounded(source), LIMITS);
  } catch (error) {
    if (error instanceof CsvFault) throw new UsageError(`--file '${path}': ${error.message}.`);
    throw new UsageError(
      `--file '${path}' cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function readBounded(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES)
      throw new CsvFault(`the file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB; split it`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The file’s columns with what was found in each row that was checked. */
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

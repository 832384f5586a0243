import { open } from 'node:fs/promises';
import { registrableDomain } from '../model/registrable-domain.ts';

/** The day on which a domain was registered, milliseconds since 1970; `undefined` if the file does not have it. */
export type DomainDates = (domain: string) => number | undefined;

/** Two million rows take some 200 MB. A larger file should keep the newest names only. */
const MAX_ROWS = 2_000_000;
const ROW = /^([a-z0-9.-]+)[\s,;]+(\d{4}-\d{2}-\d{2})/;

/**
 * Reads an operator’s own file of registration days: a domain and a day (ISO 8601) a line, with a space, a tab, a comma
 * or a semicolon between them. Other lines are skipped. Throws if the file cannot be read or has no such line.
 */
export async function loadDomainDates(path: string): Promise<DomainDates> {
  const days = new Map<string, number>();
  const file = await open(path);
  try {
    for await (const line of file.readLines()) {
      const [, domain, day] = ROW.exec(line.trim().toLowerCase()) ?? [];
      const at = day === undefined ? Number.NaN : Date.parse(day);
      if (domain === undefined || Number.isNaN(at)) continue;
      days.set(domain, at);
      if (days.size > MAX_ROWS)
        throw new Error(`${path} has more than ${MAX_ROWS} domains. Keep the newest.`);
    }
  } finally {
    await file.close();
  }
  if (days.size === 0) throw new Error(`${path} has no line with a domain and a day such as 2026-11-01.`);
  return (domain) => days.get(domain) ?? days.get(registrableDomain(domain) ?? domain);
}

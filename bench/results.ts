import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';

const FILE = new URL('./RESULTS.md', import.meta.url);
/** What follows this line in a section was written by a person and stays. */
export const REMARKS = '<!-- Remarks -->';

/** Prints a section of RESULTS.md, and writes it there in place of the last run’s. */
export interface ResultsSection {
  print(line?: string): void;
  table(head: readonly string[], rows: readonly (readonly string[])[]): void;
  /** Writes the section. Other sections stay as they are. */
  save(): Promise<void>;
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const percent = (value: number): string => `${(value * 100).toFixed(0)}%`;

export function machine(): string {
  const model = cpus()[0]?.model.trim();
  return `${cpus().length} × ${model} (${process.arch}), ${whole(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}

/** To be called before anything is measured, because it notes how busy the machine is. */
export function resultsSection(title: string, part: string, how: string): ResultsSection {
  const lines: string[] = [];
  const command = ['npm run bench --', `--${part}`, ...process.argv.slice(2)].join(' ');
  const startLoad = loadavg()[0] ?? 0;
  const print = (line = '') => {
    console.log(line);
    lines.push(line);
  };
  print(`## ${title}`);
  print();
  return {
    print,
    table(head, rows) {
      for (const row of [head, head.map(() => '---'), ...rows]) print(`| ${row.join(' | ')} |`);
      print();
    },
    async save() {
      const load = `load average ${startLoad.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after`;
      const before = await readFile(FILE, 'utf8');
      const introduction = before.slice(0, before.indexOf('\n## '));
      const where = introduction.includes(machine()) ? '' : `: ${machine()}`;
      const when = new Date().toISOString().slice(0, 10);
      lines.splice(2, 0, `\`${command}\` on ${when}${where}, ${load}. ${how}`, '');
      await writeFile(FILE, withSection(before, title, lines.join('\n').trim()));
    },
  };
}

/** A section reaches to the next heading of its level, its figures to its remarks. A new one is added at the end. */
export function withSection(file: string, title: string, figures: string): string {
  const sections = file.trim().split(/\n(?=## )/);
  const at = sections.findIndex((old) => old.startsWith(`## ${title}\n`));
  const old = sections[at];
  if (old === undefined) sections.push(figures);
  else {
    const remarks = old.indexOf(REMARKS);
    sections[at] = remarks < 0 ? figures : `${figures}\n\n${old.slice(remarks)}`;
  }
  return `${sections.map((one) => one.trim()).join('\n\n')}\n`;
}

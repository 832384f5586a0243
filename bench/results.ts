import { cpus, loadavg, totalmem } from 'node:os';
import { basename } from 'node:path';

/** Prints a section of RESULTS.md: how and where it was measured, then its figures. */
interface Results {
  print(line?: string): void;
  table(head: readonly string[], rows: readonly (readonly string[])[]): void;
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** To be called before anything is measured, because it notes how busy the machine is. */
export function startResults(title: string, how: string): Results {
  const model = cpus()[0]?.model.trim();
  const machine = `${cpus().length} × ${model} (${process.arch}), ${whole(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const command = `npm run bench -- ${[`--${basename(process.argv[1] ?? '', '.ts')}`, ...process.argv.slice(2)].join(' ')}`;
  const load = () => (loadavg()[0] ?? 0).toFixed(1);
  const when = new Date().toISOString().slice(0, 10);
  const print = (line = '') => console.log(line);
  print(`## ${title}\n\n\`${command}\` on ${when}: ${machine}, load average ${load()} before. ${how}\n`);
  process.once('exit', () => print(`Load average ${load()} after.`));
  return {
    print,
    table(head, rows) {
      for (const row of [head, head.map(() => '---'), ...rows]) print(`| ${row.join(' | ')} |`);
      print();
    },
  };
}

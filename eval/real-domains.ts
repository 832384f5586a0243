import { loadDomainList } from '../packages/service/src/lookup/domain-list.ts';
import { compiledData } from './check-input.ts';
import { accusedBy, readNames } from './time-split.ts';

/** Judges a list of real domains with the data that is shipped, and names the ones that it accuses. */
export async function judgeRealDomains(file: string): Promise<string> {
  const list = loadDomainList(await compiledData('domains.bin'));
  const names = await readNames(file);
  const accused = names.flatMap((name) => {
    const rule = accusedBy(list, name);
    return rule === undefined ? [] : [`  ${name}  ${rule}`];
  });
  return [`${accused.length} of ${names.length} real domains accused, with the guard on`, ...accused].join(
    '\n',
  );
}

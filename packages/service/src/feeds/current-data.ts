import { readFile } from 'node:fs/promises';
import { type DomainList, loadDomainList } from '../lookup/domain-list.ts';
import { type IpRanges, loadIpRanges } from '../lookup/ip-ranges.ts';

/** The data that checks look things up in. What is behind the functions may be swapped between two requests. */
export interface CurrentData {
  readonly domainList: () => DomainList;
  readonly ipRanges: () => IpRanges;
}

/** Reads the data that the build compiled from the bundled sources. */
export async function loadBundledData(folder: URL): Promise<CurrentData> {
  const read = async (name: string) => {
    try {
      return await readFile(new URL(name, folder));
    } catch (cause) {
      throw new Error(`The compiled data ${name} is missing; run npm run build`, { cause });
    }
  };
  const [domains, networks] = await Promise.all([read('domains.bin'), read('networks.bin')]);
  const domainList = loadDomainList(domains);
  const ipRanges = loadIpRanges(networks);
  return { domainList: () => domainList, ipRanges: () => ipRanges };
}

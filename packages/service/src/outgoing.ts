import type { Config } from './config.ts';
import { createSafeFetch } from './events/safe-fetch/safe-fetch.ts';
import type { FetchDirectory } from './lookup/agents/key-directory.ts';
import { createCidrSet, parseCidr } from './model/cidr.ts';

/** The keys that an operator of agents publishes. */
export function fetchDirectory(config: Config): FetchDirectory {
  const fetch = createSafeFetch({ allow: webhookRanges(config), proxy: config.proxy });
  return async (url) => {
    const { status, bytes, cancel } = await fetch({
      url,
      maxBytes: 65_536,
      timeoutMs: 5_000,
      maxRedirects: 0,
    });
    if (status === 200) return (await bytes()).toString();
    cancel();
    throw new Error(`answered ${status}`);
  };
}

/** The private ranges that webhooks may reach. */
export function webhookRanges({ webhookAllow }: Config) {
  return createCidrSet(webhookAllow.flatMap((range) => parseCidr(range) ?? []));
}

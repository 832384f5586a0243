import {
  createClientIp,
  createPrivateCallerTest,
  DEFAULT_TRUSTED_PROXIES,
} from '../../packages/service/src/http/client-ip.ts';
import { CLOUDFLARE_IP_HEADER } from '../../packages/service/src/model/edge-networks.ts';
import { parseIpAddress } from '../../packages/service/src/model/ip-address.ts';
import type { FuzzTarget } from '../target.ts';

const clientIp = createClientIp({
  trustedProxies: DEFAULT_TRUSTED_PROXIES,
  clientIpHeader: CLOUDFLARE_IP_HEADER,
  onForgedCfHeader: () => {},
});
const isPrivateCaller = createPrivateCallerTest(CLOUDFLARE_IP_HEADER);

/** The input is `X-Forwarded-For`, a line feed, and the edge’s header. */
export const forwardingHeaders: FuzzTarget = {
  name: 'forwarding-headers',
  words: [
    ',',
    ', ',
    '[',
    ']',
    ':80',
    '%eth0',
    '::ffff:',
    '127.0.0.1',
    '10.0.0.1',
    'unknown',
    '"',
    '\n',
    '0x7f',
    '::1',
  ],
  open: async () => ({
    check: (input) => {
      const [forwardedFor = '', edge] = input.subarray(0, 16_000).toString('latin1').split('\n', 2);
      const stated: Record<string, string | undefined> = {
        'x-forwarded-for': forwardedFor,
        'cf-connecting-ip': edge,
      };
      const headers = (name: string) => stated[name];
      const chosen = clientIp({ peer: '10.0.0.9', headers, keyType: 'client' });
      if (chosen === undefined || parseIpAddress(chosen.text) === undefined)
        throw new Error('no address was chosen');
      const stranger = clientIp({ peer: '198.51.100.7', headers, keyType: 'client' });
      if (stranger?.text !== '198.51.100.7') throw new Error('the header of an untrusted peer was used');
      if (isPrivateCaller({ peer: '198.51.100.7', headers }))
        throw new Error('an untrusted peer counts as private');
      const outside = (name: string) =>
        name === 'x-forwarded-for' ? `${forwardedFor}, 198.51.100.7` : headers(name);
      if (isPrivateCaller({ peer: '10.0.0.9', headers: outside }))
        throw new Error('an outsider counts as private');
    },
    close: async () => {},
  }),
};

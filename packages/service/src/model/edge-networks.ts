/** The header in which Cloudflare states the client’s address. */
export const CLOUDFLARE_IP_HEADER = 'CF-Connecting-IP';

export const FORGED_CLOUDFLARE_HEADER =
  'a CF-Connecting-IP header came from elsewhere than Cloudflare and is ignored. Make the proxy in front remove it, or set POSTERN_CLIENT_IP_HEADER to the one that the proxy always sets. If Cloudflare connects from a new range, add that to POSTERN_TRUSTED_PROXIES';

/**
 * Where Cloudflare’s edge connects from. Source: www.cloudflare.com/ips, list of 2023-09-28. A
 * `CLOUDFLARE_IP_HEADER` from elsewhere can be forged. A range that is missing here can be added to POSTERN_TRUSTED_PROXIES.
 */
export const CLOUDFLARE_NETWORKS: readonly string[] = [
  '173.245.48.0/20',
  '103.21.244.0/22',
  '103.22.200.0/22',
  '103.31.4.0/22',
  '141.101.64.0/18',
  '108.162.192.0/18',
  '190.93.240.0/20',
  '188.114.96.0/20',
  '197.234.240.0/22',
  '198.41.128.0/17',
  '162.158.0.0/15',
  '104.16.0.0/13',
  '104.24.0.0/14',
  '172.64.0.0/13',
  '131.0.72.0/22',
  '2400:cb00::/32',
  '2606:4700::/32',
  '2803:f800::/32',
  '2405:b500::/32',
  '2405:8100::/32',
  '2a06:98c0::/29',
  '2c0f:f248::/32',
];

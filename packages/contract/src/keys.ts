export const KEY_TYPES = ['client', 'server'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** What a key of each type starts with. Scanners find leaked keys by it, and SDKs notice a key in the wrong place. */
export const KEY_PREFIXES: Readonly<Record<KeyType, string>> = {
  client: 'pst_client_',
  server: 'pst_server_',
};

/** From this age on a key should be replaced. */
export const KEY_ROTATION_DAYS = 90;

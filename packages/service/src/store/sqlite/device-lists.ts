/** What stands in a device’s own row while it is little. */
export type InboxEntry = [inbox: string, firstSeen: number, lastSeen: number, count: number];
export type NetworkEntry = [network: string, lastSeen: number];

export function entries<T>(list: string | null | undefined): T[] {
  return list ? (JSON.parse(list) as T[]) : [];
}

/** An IP address as numbers. IPv4-mapped IPv6 is IPv4. */
export type IpAddress =
  | { readonly version: 4; readonly text: string; readonly value: number }
  | { readonly version: 6; readonly text: string; readonly lanes: readonly [number, number, number, number] };

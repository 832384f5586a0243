import type { IpAddress } from './ip-address.ts';

/** What is known about the network of an IP address. A type, so that it is assignable to a record of unknown fields. */
export type NetworkFacts = {
  readonly kind: string;
  readonly asn?: number;
  /** The operator’s name. */
  readonly network?: string;
  /** Two letters. */
  readonly country?: string;
  readonly dataVersion?: string;
};

/** `undefined` when no data is loaded. */
export type LookUpNetwork = (ip: IpAddress) => NetworkFacts | undefined;

/** What the log keeps of a request only for rules, so that they can be replayed. */
export interface FactsForRules {
  readonly role: boolean;
  readonly tagged: boolean;
  readonly relay: boolean;
  readonly automated: boolean;
  /** The disposable check failed it, or would have. */
  readonly disposable: boolean;
  readonly ipKind: string;
  /** The operator’s name. */
  readonly operator: string;
  /** New inboxes of the last hour, from the same network and at the same domain. */
  readonly networkActivity: number;
  readonly domainActivity: number;
}

/** The truth values as bits, then the others: as an array, because every log row has one. */
export type PackedFacts = readonly [
  bits: number,
  ipKind: string,
  operator: string,
  networkActivity: number,
  domainActivity: number,
];

export function packFacts(facts: FactsForRules): PackedFacts {
  const { role, tagged, relay, automated, disposable, ipKind, operator, networkActivity, domainActivity } =
    facts;
  const bits =
    (role ? 1 : 0) + (tagged ? 2 : 0) + (relay ? 4 : 0) + (automated ? 8 : 0) + (disposable ? 16 : 0);
  return [bits, ipKind, operator, networkActivity, domainActivity];
}

export function unpackFacts(packed: PackedFacts): FactsForRules {
  const [bits, ipKind, operator, networkActivity, domainActivity] = packed;
  return {
    role: (bits & 1) !== 0,
    tagged: (bits & 2) !== 0,
    relay: (bits & 4) !== 0,
    automated: (bits & 8) !== 0,
    disposable: (bits & 16) !== 0,
    ipKind,
    operator,
    networkActivity,
    domainActivity,
  };
}

/** Nothing is known. */
export const NO_FACTS: FactsForRules = unpackFacts([0, '', '', 0, 0]);

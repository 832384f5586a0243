import type { CheckName } from './checks.ts';

export interface MetadataField {
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array' | readonly string[];
  /** For an array: what its items have. */
  readonly items?: Readonly<Record<string, 'string' | 'number'>>;
  readonly meaning: string;
  /** Whether the field can name a person: such a field never reaches the log in plain text. */
  readonly personal?: true;
}

const status: MetadataField = {
  type: 'string',
  meaning: '`unknown` when the check could not tell and therefore passed; `ok` otherwise.',
};
const reason: MetadataField = { type: 'string', meaning: 'Why the check could not tell.' };

const crowd: MetadataField = {
  type: 'object',
  meaning:
    'For a signal that ends in `_crowd`: how many others were new to the project and came with the same thing within the last hour, 24 hours, 7 and 30 days, at most 200: `{ "hour": 2, "day": 17, "week": 41, "month": 41 }`. The check’s `error` says what they have in common.',
};
const since: MetadataField = { type: 'string', meaning: 'When the first of them came, ISO 8601.' };
const learning: MetadataField = {
  type: 'boolean',
  meaning:
    '`true` if they would be a crowd, but the project is too young to accuse anybody: two days, and 20 other people.',
};

/** What each check may tell in its `metadata`. Fields that do not apply are absent. */
export const CHECK_METADATA = {
  syntax: {
    normalized: {
      type: 'string',
      meaning: 'The address in lower case, NFC, with an A-label domain.',
      personal: true,
    },
    asciiDomain: { type: 'string', meaning: 'The domain in A-labels.' },
    unicodeDomain: { type: 'string', meaning: 'The domain in U-labels.' },
  },
  disposable: {
    status: status as MetadataField,
    reason: reason as MetadataField,
    matched: {
      type: 'string',
      meaning: 'What matched: a domain, a mail host, or an entry of the project’s own list.',
    },
    source: {
      type: ['list', 'mx', 'allow', 'relay', 'infrastructure', 'none'],
      meaning: 'Which kind of evidence decided.',
    },
    confidence: { type: ['high', 'medium', 'low'], meaning: 'How sure the evidence is.' },
    agree: {
      type: 'object',
      meaning: 'How many sources list the domain (`of` how many): `{ "count": 3, "of": 4 }`.',
    },
    rule: {
      type: [
        'free-host',
        'sibling',
        'listed-elsewhere',
        'service-word',
        'borrowed-brand',
        'mail-on-cheap-ending',
        'mail-on-odd-ending',
        'word-and-mail',
        'generated',
        'short-subdomain',
        'brand-subdomain',
        'cheap-subdomain',
      ],
      meaning: 'Which rule found a domain that no source lists. docs/data-sources.md explains each.',
    },
    evidence: {
      type: 'object',
      meaning:
        'For `disposable_infrastructure` what is shared (`mail-host`, `mail-address`, `mail-network`, `name-server`, `zone-contact`, `zone-template` or `mail-operator`), and with how many listed domains; for the rules `free-host` and `sibling` the host: `{ "host": "qzz.io" }`.',
    },
    parking: {
      type: 'string',
      meaning: 'For `parked_domain`: the parking service, such as `above.com`.',
    },
    registered: {
      type: 'string',
      meaning: 'The day on which the domain was registered, ISO 8601, where the operator’s own file says so.',
    },
    turnedBad: {
      type: 'object',
      meaning:
        'For `domain_turned_bad`: how many people at the domain turned out bad, of how many with an outcome, and the lower end of the share’s 95% interval: `{ "bad": 4, "people": 4, "low": 0.47 }`.',
    },
    newNames: {
      type: 'number',
      meaning:
        'For `subdomain_churn`: how many names under the registrable domain the project first saw within a day, this one included.',
    },
    pattern: {
      type: 'object',
      meaning:
        'For `pattern_burst`: the shape, how many new inboxes had it at this domain within an hour, and how many are usual: `{ "shape": "a999", "count": 24, "usual": 0.5 }`. `a` stands for letters, `9` for a digit, `mixed` for digits in several places.',
    },
    crowd: crowd as MetadataField,
    since: since as MetadataField,
    learning: learning as MetadataField,
    dataVersion: { type: 'string', meaning: 'The version of the compiled data that answered.' },
  },
  mx: {
    status: status as MetadataField,
    reason: reason as MetadataField,
    records: {
      type: 'array',
      items: { exchange: 'string', priority: 'number' },
      meaning: 'The mail hosts: `[{ "exchange": "mx.example.com", "priority": 10 }]`.',
    },
    implicit: {
      type: 'boolean',
      meaning: '`true` when there is no MX record and the domain’s own address takes mail.',
    },
    suggestion: {
      type: 'string',
      meaning: 'The well-known domain that this one looks like a misspelling of.',
    },
  },
  roleEmail: {
    role: { type: 'string', meaning: 'The function that the local part names.' },
  },
  alias: {
    canonical: {
      type: 'string',
      meaning: 'The address of the inbox that this one certainly reaches.',
      personal: true,
    },
    family: { type: 'string', meaning: 'A weaker guess at the same inbox; fails nothing.', personal: true },
    kind: {
      type: ['none', 'tag', 'dots', 'subdomain', 'domain', 'relay'],
      meaning: 'How the address differs from its inbox.',
    },
    provider: { type: 'string', meaning: 'Whose rules were applied.' },
    seenBefore: {
      type: 'boolean',
      meaning: '`true` when the project saw this inbox under another spelling.',
    },
  },
  device: {
    firstSeen: { type: 'string', meaning: 'When the device was first seen by this project, ISO 8601.' },
    lastSeen: { type: 'string', meaning: 'When it was last seen before this request, ISO 8601.' },
    otherAddresses: { type: 'number', meaning: 'How many other inboxes signed up from the device before.' },
    blockedAttempts: {
      type: 'number',
      meaning:
        'How many inboxes came from the device before and were answered `block` every time. They are not sign-ups.',
    },
    commonality: {
      type: 'object',
      meaning:
        'From how many networks people signed up with the hash, and whether many strangers have it, because such browsers hide their hardware: `{ "networks": 2, "common": false }`. Then only `device_crowd` judges it.',
    },
    crowd: crowd as MetadataField,
    since: since as MetadataField,
    learning: learning as MetadataField,
    automated: { type: 'boolean', meaning: '`true` for headless and scripted browsers.' },
    automatedBy: {
      type: ['user-agent', 'sec-ch-ua', 'sec-fetch', 'accept-language'],
      meaning:
        'What shows it: the user agent, client hints that name a headless browser where the user agent does not, or a header that such a browser always sends and that is missing. The last three only with client keys.',
    },
  },
  ip: {
    status: status as MetadataField,
    reason: reason as MetadataField,
    address: { type: 'string', meaning: 'The address that was judged.', personal: true },
    kind: {
      type: ['private', 'corporate', 'relay', 'tor', 'vpn', 'proxy', 'hosting', 'ordinary', 'unknown'],
      meaning: 'What kind of address it is; `ordinary` stands for any access network.',
    },
    asn: { type: 'number', meaning: 'The network’s number.' },
    network: { type: 'string', meaning: 'The network’s name.' },
    country: { type: 'string', meaning: 'Two letters, where known.' },
    burst: {
      type: 'object',
      meaning:
        'For `network_burst`: how many new inboxes came from the network within an hour, and how many are usual: `{ "count": 31, "usual": 1.2 }`.',
    },
    crowd: crowd as MetadataField,
    since: since as MetadataField,
    learning: learning as MetadataField,
    dataVersion: { type: 'string', meaning: 'The version of the compiled data that answered.' },
  },
} as const;
CHECK_METADATA satisfies Record<CheckName, Record<string, MetadataField>>;

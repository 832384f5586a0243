import type { FuzzTarget } from './target.ts';
import { addresses } from './targets/addresses.ts';
import { dnsMessages } from './targets/dns-messages.ts';
import { feedFiles } from './targets/feed-files.ts';
import { forwardingHeaders } from './targets/forwarding-headers.ts';
import { httpBytes } from './targets/http-bytes.ts';
import { jsonBodies } from './targets/json-bodies.ts';
import { origins } from './targets/origins.ts';
import { ruleExpressions } from './targets/rule-expressions.ts';

export const ALL_TARGETS: readonly FuzzTarget[] = [
  httpBytes,
  jsonBodies,
  addresses,
  origins,
  ruleExpressions,
  forwardingHeaders,
  dnsMessages,
  feedFiles,
];

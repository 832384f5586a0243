import { type HookFormatCode, textIn } from './hook-format.ts';
import { standardWebhooks } from './prove-sender.ts';

/** The body and the answer of `/validate`, signed as Standard Webhooks say. */
export const GENERIC: HookFormatCode = {
  proof: standardWebhooks('whsec_'),
  read: ({ verdict, ...ask }) =>
    textIn(ask, 'email') === undefined ? { missing: 'email' } : { ask, verdict },
  write: ({ answer }) => ({ status: 200, body: answer ?? UNJUDGED }),
  sample: (email) => ({ email }),
  instructions: (url, secret) => `Send the body of POST /validate to

  ${url}

with the headers webhook-id, webhook-timestamp and webhook-signature of https://www.standardwebhooks.com, signed with

  ${secret}`,
};

const UNJUDGED = {
  checks: {},
  metadata: { fingerprintHash: null, previousSignups: 0, totalLatency: 0 },
  message: null,
  recommendation: 'allow',
  signals: [],
};

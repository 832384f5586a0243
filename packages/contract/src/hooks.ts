/** Sign-in servers that ask by themselves, as the docs and the dashboard name them. `guide` is a page of the docs. */
export const HOOK_FORMATS = {
  supabase: {
    server: 'Supabase Auth',
    proof: 'Standard Webhooks',
    refusal: '200 with `error.http_code` 403',
    guide: 'guides/supabase.md',
  },
  kratos: {
    server: 'Ory Kratos',
    proof: '`Authorization: Bearer`',
    refusal: '403 with `messages`',
    guide: 'guides/ory.md',
  },
  workos: {
    server: 'WorkOS AuthKit',
    proof: '`WorkOS-Signature`',
    refusal: '200 with `verdict` `Deny`, signed',
    guide: 'guides/workos.md',
  },
  okta: {
    server: 'Okta',
    proof: '`Authorization: Bearer`',
    refusal: '200 with `registration` `DENY`',
    guide: 'guides/okta.md',
  },
  zitadel: {
    server: 'ZITADEL',
    proof: '`ZITADEL-Signature`',
    refusal: '200 with `forwardedStatusCode` 403',
    guide: 'guides/zitadel.md',
  },
  fusionauth: {
    server: 'FusionAuth',
    proof: '`Authorization: Bearer`',
    refusal: '403',
    guide: 'guides/fusionauth.md',
  },
  generic: {
    server: 'Any other',
    proof: 'Standard Webhooks',
    refusal: '200 with the answer of `/validate`',
    guide: 'guides/hooks.md',
  },
} as const;
HOOK_FORMATS satisfies Record<string, HookFormatRow>;

interface HookFormatRow {
  readonly server: string;
  /** How the caller proves itself. */
  readonly proof: string;
  readonly refusal: string;
  readonly guide: string;
}

export type HookFormat = keyof typeof HOOK_FORMATS;

export const HOOK_FORMAT_NAMES: readonly HookFormat[] = Object.keys(HOOK_FORMATS) as HookFormat[];

export function isHookFormat(text: string): text is HookFormat {
  return Object.hasOwn(HOOK_FORMATS, text);
}

export const HOOKS_PATH = '/v1/hooks';
export const MAX_HOOK_BODY_BYTES: number = 64 * 1024;

/** Why a hook allowed a person without judging. */
export const OPEN_REASONS = ['quota', 'rate', 'store', 'time', 'fault'] as const;
export type OpenReason = (typeof OPEN_REASONS)[number];

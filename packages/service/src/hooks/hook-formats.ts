import type { HookFormat } from '@postern/contract';
import { FUSIONAUTH } from './fusionauth.ts';
import { GENERIC } from './generic.ts';
import type { HookFormatCode } from './hook-format.ts';
import { KRATOS } from './kratos.ts';
import { OKTA } from './okta.ts';
import { SUPABASE } from './supabase.ts';
import { WORKOS } from './workos.ts';
import { ZITADEL } from './zitadel.ts';

export const HOOK_CODE: Readonly<Record<HookFormat, HookFormatCode>> = {
  supabase: SUPABASE,
  kratos: KRATOS,
  workos: WORKOS,
  okta: OKTA,
  zitadel: ZITADEL,
  fusionauth: FUSIONAUTH,
  generic: GENERIC,
};

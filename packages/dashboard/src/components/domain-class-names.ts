import type { Overview } from '@postern/contract/dashboard';

export const DOMAIN_CLASS_NAMES: Readonly<Record<Overview['domainClasses'][number]['domainClass'], string>> =
  {
    free: 'Mail providers',
    business: 'Companies and private domains',
    relay: 'Privacy relays',
    disposable: 'Disposable',
  };

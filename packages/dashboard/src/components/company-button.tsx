import { COMPANY_SIGN_IN_PATH, DASHBOARD_AUTH } from '@postern/contract/dashboard';
import { buttonClass } from './button.tsx';

/** Leads to the provider’s page, which is on another site. */
export function CompanyButton({ name }: { name: string }) {
  return (
    <a href={DASHBOARD_AUTH + COMPANY_SIGN_IN_PATH} className={buttonClass('primary')}>
      Sign in with {name}
    </a>
  );
}

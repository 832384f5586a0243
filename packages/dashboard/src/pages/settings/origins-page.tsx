import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { Page } from '../../components/page.tsx';
import { AllowedDomains } from './allowed-domains.tsx';

/** Which pages may use the project’s client keys. */
export function OriginsPage() {
  const project = useProject();
  const may = usePermissions();
  return (
    <Page title="Allowed domains">
      <AllowedDomains key={project.allowedDomains.join()} project={project} disabled={!may.change} />
    </Page>
  );
}

import { useQuery } from '@tanstack/react-query';
import { onboardingQuery } from '../api/queries.ts';
import { Notice } from './notice.tsx';
import { Ago } from './time.tsx';

/** What scripts with a wrong form ID have reported. Gone as soon as a request with their key comes. */
export function MissingForm({ projectId }: { projectId: string }) {
  const { data } = useQuery(onboardingQuery(projectId));
  return data?.noForm.map(({ keyId, name, form, at }) => (
    <Notice key={keyId} kind="warn">
      The script loaded, but found no form {form} (key “{name}”, <Ago at={at} />
      ). <code>data-form</code> of the script tag must be a selector of your form, such as <code>#</code> and
      its ID. This goes away with the key’s next request.
    </Notice>
  ));
}

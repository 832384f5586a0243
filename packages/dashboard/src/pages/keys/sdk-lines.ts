import { frameworkSteps, type Step, type StepFacts } from '@postern/contract/framework-steps';
import type { SdkManifest } from '@postern/contract/sdk-files';
import { queryOptions } from '@tanstack/react-query';

/** `null` when the service was built without the SDKs. */
export const sdkQuery = queryOptions({
  queryKey: ['sdk'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<SdkManifest | null> => {
    const response = await fetch('/sdk', { signal, headers: { Accept: 'application/json' } });
    return response.ok ? ((await response.json()) as SdkManifest) : null;
  },
});

/** The steps for a framework, or for a single call. */
export function stepsFor(id: string, sdk: SdkManifest | null, facts: StepFacts): Step[] {
  const guide = sdk?.frameworks.find((framework) => framework.id === id);
  return sdk === null || guide === undefined ? [curlStep(facts)] : frameworkSteps(guide, sdk, facts);
}

function curlStep({ baseUrl, projectId, serverKey }: StepFacts): Step {
  return {
    title: 'One call, with a server key',
    language: 'sh',
    code: `curl -s ${baseUrl}/validate \\
  -H 'Authorization: Bearer ${serverKey}' \\
  -H 'X-Project-Id: ${projectId}' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"jane.doe@gmail.com"}'`,
  };
}

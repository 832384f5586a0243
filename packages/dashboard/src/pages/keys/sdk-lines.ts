import { packageSpec, type SdkManifest } from '@postern/contract/sdk-files';
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

/** The line that installs a package from this service, as a comment above the code; empty if it is not served. */
export function installLine(baseUrl: string, sdk: SdkManifest | null, name: string): string {
  const file = sdk?.files.find((one) => one.name === `@postern/${name}`);
  return file === undefined ? '' : `// npm install ${packageSpec(baseUrl, file)}\n`;
}

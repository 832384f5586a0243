import { queryOptions } from '@tanstack/react-query';

/** What `GET /sdk` lists. */
export interface SdkManifest {
  readonly version: string;
  readonly files: readonly { readonly file: string; readonly integrity: string }[];
}

/** `null` when the service was built without the SDKs. */
export const sdkQuery = queryOptions({
  queryKey: ['sdk'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<SdkManifest | null> => {
    const response = await fetch('/sdk', { signal });
    return response.ok ? ((await response.json()) as SdkManifest) : null;
  },
});

/** The script tag for a page without a bundler. With `integrity` the browser refuses a script that was changed. */
export function scriptTag(baseUrl: string, sdk: SdkManifest | null): string {
  const script = sdk?.files.find(({ file }) => file === 'postern.js');
  if (sdk === null || script === undefined) return `<script src="${baseUrl}/sdk/postern.js"></script>`;
  return `<script src="${baseUrl}/sdk/postern.js?v=${sdk.version}"
  integrity="${script.integrity}" crossorigin="anonymous"></script>`;
}

/** The line that installs a package from this service, as a comment above the code; empty if it is not served. */
export function installLine(baseUrl: string, sdk: SdkManifest | null, name: string): string {
  const file = sdk?.files.find((one) => one.file.startsWith(`postern-${name}-${sdk.version}`))?.file;
  return file === undefined ? '' : `// npm install ${baseUrl}/sdk/${file}\n`;
}

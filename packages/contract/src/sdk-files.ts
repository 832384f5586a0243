/** What `GET /sdk` answers with: the SDK files of this build. */
export interface SdkManifest {
  readonly version: string;
  readonly files: readonly SdkFile[];
}

export interface SdkFile {
  /** The package, such as `@postern/sdk-node`, or `postern.js`. */
  readonly name: string;
  /** Its name in the build. A tarball is also served under it. */
  readonly file: string;
  /** Its name by content. Never served with another content, and kept after an update. */
  readonly keptAs: string;
  readonly bytes: number;
  readonly integrity: string;
}

export const PAGE_SCRIPT = 'postern.js';

/** The commands that install a package, by package manager. */
export const INSTALL_COMMANDS = {
  npm: 'npm install',
  pnpm: 'pnpm add',
  yarn: 'yarn add',
  bun: 'bun add',
} as const;

/**
 * The script tag for a page without a bundler. With `integrity` the browser refuses a script that was changed.
 * `manifest` is `null` if the service was built without the SDKs.
 */
export function scriptTag(baseUrl: string, manifest: SdkManifest | null): string {
  const script = manifest?.files.find(({ name }) => name === PAGE_SCRIPT);
  if (script === undefined) return `<script src="${baseUrl}/sdk/${PAGE_SCRIPT}"></script>`;
  return `<script src="${baseUrl}/sdk/${script.keptAs}"
  integrity="${script.integrity}" crossorigin="anonymous"></script>`;
}

/**
 * What stands after `npm install`: a package by name and URL. Yarn 2 and newer take no URL without the name, and with the
 * URL no package manager asks a registry for the name.
 */
export function packageSpec(baseUrl: string, { name, keptAs }: SdkFile): string {
  return `${name}@${baseUrl}/sdk/${keptAs}`;
}

export function sdkPackages({ files }: SdkManifest): readonly SdkFile[] {
  return files.filter(({ name }) => name !== PAGE_SCRIPT);
}

/** What `GET /sdk` answers with: the SDK files of this build. */
export interface SdkManifest {
  readonly version: string;
  readonly files: readonly SdkFile[];
  /** How to protect a form, by framework: the table `examples/frameworks.json` with the texts of its files. */
  readonly frameworks: readonly FrameworkGuide[];
}

export interface SdkFile {
  /** The package, such as `postern~sdk-node`, or `postern.js`. */
  readonly name: string;
  /** Its name in the build. A tarball is also served under it. */
  readonly file: string;
  /** Its name by content. Never served with another content, and kept after an update. */
  readonly keptAs: string;
  readonly bytes: number;
  readonly integrity: string;
}

/** One framework. Every file is one of `examples/`, which the tests run. */
export interface FrameworkGuide {
  readonly id: string;
  readonly title: string;
  /**
   * Where the page’s settings come from: the script tag’s attributes, the server’s environment, the environment of a
   * build with Vite, or code.
   */
  readonly page: 'script' | 'server' | 'vite' | 'code';
  readonly packages: readonly string[];
  readonly files: readonly { readonly path: string; readonly note?: string; readonly code: string }[];
}

export const PAGE_SCRIPT = 'postern.js';

/** What the script reads from its own tag. */
export interface ScriptData {
  readonly project: string;
  readonly key: string;
  /** A selector. */
  readonly form: string;
  /** The project’s own words for what is not an address. */
  readonly malformed?: string | undefined;
}

/**
 * The script tag for a page without a bundler. It is `async`, so the page never waits for the service, and needs no inline
 * script. With `integrity` the browser refuses a script that was changed. `manifest` is `null` if the service was built
 * without the SDKs.
 */
export function scriptTag(baseUrl: string, manifest: SdkManifest | null, data: ScriptData): string {
  const script = manifest?.files.find(({ name }) => name === PAGE_SCRIPT);
  const attributes = Object.entries(data).flatMap(([name, value]) =>
    value === undefined ? [] : [`data-${name}="${inAttribute(value)}"`],
  );
  const integrity = script === undefined ? '' : `\n  integrity="${script.integrity}" crossorigin="anonymous"`;
  return `<script async src="${baseUrl}/sdk/${script?.keptAs ?? PAGE_SCRIPT}"${integrity}
  ${attributes.join(' ')}></script>`;
}

function inAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** For lines that are not filled in yet. */
export const PLACEHOLDER_DATA: ScriptData = {
  project: 'YOUR_PROJECT_ID',
  key: 'YOUR_CLIENT_KEY',
  form: '#sign-up',
};

/**
 * What stands after `npm install`: a package by name and URL. Yarn 2 and newer take no URL without the name, and with the
 * URL no package manager asks a registry for the name. In quotes, because `~` means something to some shells.
 */
export function packageSpec(baseUrl: string, { name, keptAs }: Pick<SdkFile, 'name' | 'keptAs'>): string {
  return `"${name}@${baseUrl}/sdk/${keptAs}"`;
}

/** The lines that install a package, by package manager. bun does not take a name with `~` there, and reads it from the file. */
export function installLines(baseUrl: string, file: SdkFile): { npm: string; others: readonly string[] } {
  const spec = packageSpec(baseUrl, file);
  return {
    npm: `npm install ${spec}`,
    others: [`pnpm add ${spec}`, `yarn add ${spec}`, `bun add "${baseUrl}/sdk/${file.keptAs}"`],
  };
}

export function sdkPackages({ files }: SdkManifest): readonly SdkFile[] {
  return files.filter(({ name }) => name !== PAGE_SCRIPT);
}

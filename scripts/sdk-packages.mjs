/**
 * The SDK packages and their entry points. `edge` also gets a build for edge runtimes, which have no `node:` modules. `command` is
 * run by `npx URL-OF-THE-TARBALL`. `sources` are components that the app’s own compiler compiles; each has its types beside it.
 */
export const SDKS = [
  { name: 'sdk-core', entries: ['index'], platform: 'neutral' },
  { name: 'sdk-browser', entries: ['index'], platform: 'browser' },
  { name: 'sdk-react', entries: ['index'], platform: 'browser', banner: "'use client';" },
  { name: 'sdk-vue', entries: ['index'], platform: 'browser' },
  { name: 'sdk-svelte', entries: ['index'], platform: 'browser', sources: ['EmailField.svelte'] },
  { name: 'sdk-angular', entries: ['index'], platform: 'browser' },
  { name: 'sdk-react-native', entries: ['index', 'react', 'expo', 'device-info'], platform: 'neutral' },
  { name: 'sdk-node', entries: ['index', 'testing'], platform: 'node', edge: true, command: 'init' },
];

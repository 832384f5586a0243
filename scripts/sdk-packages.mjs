/**
 * The SDK packages: their folders, and the entry points that an app imports. `edge` also gets a build for edge runtimes, which
 * have no `node:` modules. `internal` entries are for the other packages here and are not packed.
 */
export const SDKS = [
  { name: 'sdk', entries: ['index', 'react', 'vue', 'svelte'], internal: ['core'], platform: 'browser' },
  { name: 'sdk-node', entries: ['index', 'testing'], internal: [], platform: 'node', edge: true },
  {
    name: 'sdk-react-native',
    entries: ['index', 'react', 'expo', 'device-info'],
    internal: [],
    platform: 'neutral',
  },
];

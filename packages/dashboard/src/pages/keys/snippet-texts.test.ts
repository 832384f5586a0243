import type { SdkManifest } from '@postern/contract/sdk-files';
import { describe, expect, it } from 'vitest';
import { SNIPPETS } from './snippet-texts.ts';

const sdk: SdkManifest = {
  version: '1.2.3',
  files: [
    { name: 'postern.js', file: 'postern.js', keptAs: 'postern-0a1b.js', bytes: 1, integrity: 'sha384-abc' },
    ...[
      'sdk-core',
      'sdk-browser',
      'sdk-react',
      'sdk-vue',
      'sdk-svelte',
      'sdk-angular',
      'sdk-react-native',
      'sdk-node',
    ].map((name) => ({
      name: `@postern/${name}`,
      file: `postern-${name}-1.2.3.tgz`,
      keptAs: `postern-${name}-1.2.3-0a1b.tgz`,
      bytes: 1,
      integrity: 'sha384-x',
    })),
  ],
};
const facts = { baseUrl: 'https://p.test', projectId: 'shop', clientKey: 'CLIENT', serverKey: 'SERVER' };
const text = (id: string, manifest: SdkManifest | null) =>
  SNIPPETS.find((snippet) => snippet.id === id)?.text({ ...facts, sdk: manifest });

describe('the snippets', () => {
  it.each(['browser', 'react', 'vue', 'svelte', 'angular', 'react-native'])(
    '%s has the project’s own words for an invalid address',
    (id) => {
      const snippet = SNIPPETS.find((one) => one.id === id);
      expect(snippet?.text({ ...facts, sdk, malformed: "That's </script> wrong." })).toContain(
        "{ malformed: 'That\\'s <\\/script> wrong.' }",
      );
      expect(text(id, sdk)).not.toContain('malformed');
    },
  );

  it('load the script from this service, with its integrity hash', () => {
    const data = 'data-project="shop" data-key="CLIENT" data-form="#sign-up"></script>';
    expect(text('page', sdk)).toBe(
      `<script async src="https://p.test/sdk/postern-0a1b.js"\n  integrity="sha384-abc" crossorigin="anonymous"\n  ${data}`,
    );
    expect(text('page', null)).toBe(`<script async src="https://p.test/sdk/postern.js"\n  ${data}`);
    const page = SNIPPETS.find(({ id }) => id === 'page');
    expect(page?.text({ ...facts, sdk, malformed: 'No "<address>" & co.' })).toContain(
      'data-malformed="No &quot;&lt;address>&quot; &amp; co."></script>',
    );
  });

  it.each([
    ['browser', 'sdk-browser'],
    ['react', 'sdk-react'],
    ['vue', 'sdk-vue'],
    ['svelte', 'sdk-svelte'],
    ['angular', 'sdk-angular'],
    ['react-native', 'sdk-react-native'],
    ['node', 'sdk-node'],
  ])('%s begins its script with the line that installs %s from this service', (id, name) => {
    const script = (manifest: SdkManifest | null) => text(id, manifest)?.replace(/^<script.*>\n/, '');
    expect(script(sdk)?.split('\n')[0]).toBe(
      `// npm install @postern/${name}@https://p.test/sdk/postern-${name}-1.2.3-0a1b.tgz`,
    );
    expect(script(null)).toMatch(/^import/);
  });
});

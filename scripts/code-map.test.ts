import { expect, it } from 'vitest';
import { describeNodes, drawRows, packageGraph, ROOT_FILES, rowsOf, serviceGraph } from './code-map.mjs';

const service = (name: string, ...targets: string[]) => ({
  path: `packages/service/src/${name}`,
  imports: targets.map((target) => ({ target: `packages/service/src/${target}` })),
});

it('groups files by folder, and leaves tests out', () => {
  const graph = serviceGraph([
    service('http/routes/keys.ts', 'model/api-key.ts', 'http/server.ts'),
    service('http/server.test.ts', 'store/store.ts'),
    service('model/api-key.ts'),
    service('config.ts', 'model/api-key.ts'),
    service('serve.ts', 'http/server.ts'),
  ]);
  expect(describeNodes(graph)).toEqual([
    { name: ROOT_FILES, imports: ['http/'], importedBy: [] },
    { name: 'config.ts', imports: ['model/'], importedBy: [] },
    { name: 'http/', imports: ['model/'], importedBy: [ROOT_FILES] },
    { name: 'model/', imports: [], importedBy: ['config.ts', 'http/'] },
  ]);
});

it('groups files by package', () => {
  const modules = [
    { path: 'packages/cli/src/main.ts', imports: [{ target: 'packages/contract/src/index.ts' }] },
  ];
  expect(packageGraph(modules)).toEqual(new Map([['cli', new Set(['contract'])]]));
});

it('puts every name above what it imports', () => {
  const graph = new Map([
    ['a', new Set(['b', 'c'])],
    ['b', new Set(['c'])],
    ['c', new Set<string>()],
    ['d', new Set(['c'])],
  ]);
  expect(rowsOf(graph)).toEqual([['a'], ['b', 'd'], ['c']]);
  expect(drawRows(graph, 'A title').match(/<rect/g)).toHaveLength(4);
});

it('names the folders that import each other', () => {
  const graph = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['a'])],
  ]);
  expect(() => rowsOf(graph)).toThrow('a > b > a');
});

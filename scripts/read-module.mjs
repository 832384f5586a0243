import { posix } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/**
 * What the structure check needs to know about one source file: its imports, SQL strings and environment reads. `path`
 * is relative to the checkout, with forward slashes.
 */
export function readModule(path, text) {
  const ast = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts', sourceType: 'module' }, path);
  const lineOf = ({ start }) => text.slice(0, start).split('\n').length;
  const imports = [];
  const strings = [];
  const environment = [];
  visit(ast, (node) => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) {
      imports.push({ specifier, target: resolveSpecifier(path, specifier), line: () => lineOf(node) });
    }
    if (node.type === 'Literal' && typeof node.value === 'string') {
      strings.push({ text: node.value, line: () => lineOf(node) });
    }
    if (node.type === 'TemplateLiteral') {
      strings.push({ text: node.quasis.map((part) => part.value.raw).join('?'), line: () => lineOf(node) });
    }
    if (readsEnvironment(node)) environment.push(lineOf(node));
  });
  return {
    path,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports,
    strings,
    environment,
  };
}

function specifierOf(node) {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
    case 'TSExternalModuleReference': {
      const source = node.source ?? node.expression;
      return typeof source?.value === 'string' ? source.value : undefined;
    }
    case 'NewExpression': {
      // A worker’s file counts as an import: new URL('./worker.ts', import.meta.url).
      const [first, second] = node.arguments;
      const isModule = node.callee.name === 'URL' && second?.object?.type === 'MetaProperty';
      return isModule && /^\.{1,2}\/.*\.[jt]s$/.test(first?.value ?? '') ? first.value : undefined;
    }
    default:
      return undefined;
  }
}

function readsEnvironment(node) {
  if (node.type === 'MemberExpression') {
    return node.object.name === 'process' && (node.property.name ?? node.property.value) === 'env';
  }
  if (node.type === 'ImportDeclaration' && /^(node:)?process$/.test(node.source.value)) {
    return node.specifiers.some((specifier) => specifier.imported?.name === 'env');
  }
  return false;
}

/** The file that a specifier of this repository names; `undefined` for packages from outside. */
function resolveSpecifier(path, specifier) {
  if (specifier.startsWith('.')) {
    return posix.normalize(posix.join(posix.dirname(path), specifier)).replace(/\.js$/, '.ts');
  }
  const own = /^(?:@postern\/|postern~)([a-z-]+)(?:\/(.+))?$/.exec(specifier);
  return own === null ? undefined : `packages/${own[1]}/src/${own[2] ?? 'index'}.ts`;
}

function visit(node, see) {
  if (typeof node.type === 'string') see(node);
  for (const value of Object.values(node)) if (value !== null && typeof value === 'object') visit(value, see);
}

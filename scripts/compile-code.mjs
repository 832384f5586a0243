// Compiles each file of the given packages from `src` to `dist`. It removes the types and does not check them: `npm run
// types` does that, and writes the declarations. So starting the service needs no compiler of types and no types. JSON and SQL are copied.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { transformSync } from 'rolldown/utils';
import { ROOT } from './checkout.mjs';

function compileFile(source, target) {
  const { code, map, errors } = transformSync(source, readFileSync(source, 'utf8'), {
    tsconfig: false,
    sourcemap: true,
    target: 'es2023',
    // As `verbatimModuleSyntax` and `rewriteRelativeImportExtensions` in tsconfig.base.json.
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: true },
  });
  if (errors.length > 0)
    throw new Error(errors.map(({ message, codeframe }) => codeframe ?? message).join('\n'));
  const [name] = target.split(/[\\/]/).slice(-1);
  const sources = [relative(dirname(target), source).replaceAll('\\', '/')];
  writeFileSync(target, `${code}\n//# sourceMappingURL=${name}.map\n`);
  writeFileSync(`${target}.map`, JSON.stringify({ ...map, file: name, sources, sourcesContent: undefined }));
}

for (const name of process.argv.slice(2)) {
  const source = join(ROOT, 'packages', name, 'src');
  for (const file of readdirSync(source, { recursive: true })) {
    const target = join(ROOT, 'packages', name, 'dist', file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    if (/\.(json|sql)$/.test(file)) copyFileSync(join(source, file), target);
    else if (file.endsWith('.ts') && !/\.(test|d)\.ts$/.test(file)) compileFile(join(source, file), target);
  }
}

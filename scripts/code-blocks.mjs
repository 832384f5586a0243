/** `node scripts/code-blocks.mjs` prints every code block of the docs and what runs it. */
import { readCodeBlocks } from './docs-site/code-blocks.mjs';

const blocks = readCodeBlocks();
const cell = (text) => text.replaceAll('|', '\\|');
console.log('| File | Section | Language | First line | Run by |\n| --- | --- | --- | --- | --- |');
for (const { file, heading, language, code, by } of blocks) {
  const first = code.trim().split('\n')[0].slice(0, 60);
  console.log(`| ${[file, heading, language, `\`${first}\``, by ?? 'nothing'].map(cell).join(' | ')} |`);
}
const run = blocks.filter(({ by }) => by !== undefined && !by.startsWith('not run'));
console.log(`\n${blocks.length} blocks, ${run.length} of them run.`);

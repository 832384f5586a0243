import { expect, it } from 'vitest';
import { readCodeBlocks } from '../test/code-blocks.mjs';
import { highlightCode } from './highlight-code.mjs';

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? '')
    .replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)));
const coloured = (html: string) =>
  [...html.matchAll(/<span class="token ([a-z-]+)[^"]*">([^<]*)<\/span>/g)].map(
    ([, kind, text = '']) => `${kind} ${plain(text)}`,
  );

it('changes no character of any code block of the docs', () => {
  const blocks = readCodeBlocks() as { file: string; code: string; language: string }[];
  expect(blocks.length).toBeGreaterThan(80);
  for (const { file, code, language } of blocks)
    expect(plain(highlightCode(code, language)), file).toBe(code);
});

it.each([
  ['ts', "const url = 'https://a.example'; // x", ['keyword const', 'comment // x']],
  ['sh', 'curl -s http://a.example/ # asks', ['function curl', 'comment # asks']],
  ['html', '<script>const a = 1;</script>', ['keyword const', 'number 1']],
  ['svelte', '<p class="a">It is const</p>', ['attr-name class']],
  ['python', 'import os', ['keyword import']],
  ['cobol', 'MOVE A', []],
])('colours %s', (language, code, tokens) => {
  const found = coloured(highlightCode(code, language));
  expect(found).toEqual(expect.arrayContaining(tokens));
  expect(found.some((token) => token === 'keyword const')).toBe(tokens.includes('keyword const'));
});

it('escapes languages that it does not know', () => {
  expect(highlightCode('<b>', 'cobol')).toBe('&#60;b&#62;');
  expect(highlightCode('<b>', 'constructor')).toBe('&#60;b&#62;');
});

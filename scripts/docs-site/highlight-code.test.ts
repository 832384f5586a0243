import { expect, it } from 'vitest';
import { readCodeBlocks } from './code-blocks.mjs';
import { highlightCode } from './highlight-code.mjs';

const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)));
const ofKind = (html: string, kind: string) =>
  [...html.matchAll(new RegExp(`<span class="${kind}">(.*?)</span>`, 'gs'))].map(([, text = '']) =>
    plain(text),
  );

it('changes no character of any code block of the docs', () => {
  const blocks = readCodeBlocks() as { file: string; code: string; language: string }[];
  expect(blocks.length).toBeGreaterThan(80);
  for (const { file, code, language } of blocks)
    expect(plain(highlightCode(code, language)), file).toBe(code);
});

it('colours scripts', () => {
  const html = highlightCode("const url = 'https://a.example'; // the service\nlet count = 42;", 'ts');
  expect(ofKind(html, 'keyword')).toEqual(['const', 'let']);
  expect(ofKind(html, 'string')).toEqual(["'https://a.example'"]);
  expect(ofKind(html, 'comment')).toEqual(['// the service']);
  expect(ofKind(html, 'number')).toEqual(['42']);
});

it('colours commands', () => {
  const html = highlightCode('curl -s http://a.example/#part \\\n  -d \'{"email":\n"x"}\'   # asks', 'sh');
  expect(ofKind(html, 'keyword')).toEqual(['curl']);
  expect(ofKind(html, 'string')).toEqual(['\'{"email":\n"x"}\'']);
  expect(ofKind(html, 'comment')).toEqual(['# asks']);
});

it('colours the scripts of a page as scripts', () => {
  const html = highlightCode('<p class="a">It is const</p>\n<script>\n  const a = 1;\n</script>', 'html');
  expect(ofKind(html, 'keyword')).toEqual(['<p', '>', '</p', '>', '<script', '>', 'const', '</script', '>']);
  expect(ofKind(html, 'string')).toEqual(['"a"']);
});

it('lets an apostrophe in a text colour nothing', () => {
  const html = highlightCode("return <p>Jane's page</p>;\nconst a = 'b';", 'jsx');
  expect(ofKind(html, 'string')).toEqual(["'b'"]);
});

it('escapes languages that it does not know', () => {
  expect(highlightCode('<b>', 'cobol')).toBe('&#60;b&#62;');
});

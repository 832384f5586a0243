import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the docs', () => {
  it('have up-to-date generated tables', () => {
    execFileSync(process.execPath, ['scripts/docs.mjs', '--check'], { cwd: root, stdio: 'pipe' });
  });

  it('have a place for every table', () => {
    const script = readFileSync(`${root}scripts/docs.mjs`, 'utf8');
    const names = [...script.matchAll(/^ {2}'?([a-z-]+)'?: \(\) =>/gm)].map(([, name]) => name);
    const docs = [
      'api',
      'cli',
      'dashboard-api',
      'settings',
      'monitoring',
      'rules',
      'data-sources',
      'webhooks',
    ].map((name) => readFileSync(`${root}docs/${name}.md`, 'utf8'));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(docs.join(''), name).toContain(`<!-- table: ${name} -->`);
  });

  it('link to files that exist', () => {
    const files = execFileSync('git', ['ls-files', '*.md'], { cwd: root }).toString().trim().split('\n');
    const missing: string[] = [];
    for (const file of files) {
      const text = readFileSync(`${root}${file}`, 'utf8').replace(/```[\s\S]*?```/g, '');
      for (const [, target = ''] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const found = new URL(target, `file://${root}${file}`);
        if (!existsSync(found)) missing.push(`${file}: ${target}`);
      }
    }
    expect(missing).toEqual([]);
  });
});

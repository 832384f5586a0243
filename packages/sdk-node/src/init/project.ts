import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SdkFile } from '@postern/contract/sdk-files';

/** The service that the project will use. */
export interface PlanFacts {
  readonly url: string;
  readonly files: readonly SdkFile[];
  readonly projectId: string;
  readonly clientKey: string;
  readonly serverKey: string;
}

/** Files to write: the path of each in the project, and its text. */
export type Files = readonly (readonly [path: string, text: string])[];

/** The project that Postern is put into, as far as its files tell. */
export interface Project {
  readonly framework: Framework;
  readonly manager: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Whether new files are TypeScript. */
  readonly isTypeScript: boolean;
  /** The major version that package.json asks for. `undefined` if it names none. */
  majorOf(dependency: string): number | undefined;
  has(path: string): boolean;
  /** `undefined` if there is no such file. */
  read(path: string): string | undefined;
}

/** The first that a project depends on. Frameworks that are built on another one come before it. */
const FRAMEWORKS = {
  next: 'next',
  '@sveltejs/kit': 'sveltekit',
  nuxt: 'nuxt',
  astro: 'astro',
  '@react-router/dev': 'react-router',
  '@nestjs/core': 'nestjs',
  hono: 'hono',
  koa: 'koa',
  fastify: 'fastify',
  express: 'express',
  // Pages without a backend of their own. The frameworks above bring one of these.
  '@angular/core': 'angular',
  vue: 'vue',
  react: 'react',
} as const;

export type Framework = (typeof FRAMEWORKS)[keyof typeof FRAMEWORKS] | 'plain';

/** As people write them. */
export const FRAMEWORK_TITLES: Readonly<Record<Framework, string>> = {
  next: 'Next',
  sveltekit: 'SvelteKit',
  nuxt: 'Nuxt',
  astro: 'Astro',
  'react-router': 'React Router',
  nestjs: 'NestJS',
  hono: 'Hono',
  koa: 'Koa',
  fastify: 'Fastify',
  express: 'Express',
  angular: 'Angular',
  vue: 'Vue',
  react: 'React',
  plain: 'a page without a framework',
};

const LOCKS = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
} as const;

export function readProject(folder: string): Project {
  const has = (path: string) => existsSync(join(folder, path));
  const read = (path: string) => (has(path) ? readFileSync(join(folder, path), 'utf8') : undefined);
  const manifest = JSON.parse(read('package.json') ?? '{}') as {
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies };
  const found = Object.entries(FRAMEWORKS).find(([name]) => dependencies[name] !== undefined);
  const lock = Object.entries(LOCKS).find(([name]) => has(name));
  return {
    framework: found?.[1] ?? 'plain',
    manager: lock?.[1] ?? 'npm',
    isTypeScript: has('tsconfig.json'),
    majorOf: (name) => {
      const major = /\d+/.exec(dependencies[name] ?? '')?.[0];
      return major === undefined ? undefined : Number(major);
    },
    has,
    read,
  };
}

/** The text in a TypeScript project, nothing in a JavaScript one. */
export const typed = ({ isTypeScript }: Project, text: string) => (isTypeScript ? text : '');

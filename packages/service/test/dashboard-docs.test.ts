import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SIGN_IN_ROUTES } from '../dist/dashboard-api/auth/sign-in-routes.js';
import { dashboardRoutes } from '../dist/dashboard-api/routes.js';

it('documents every route of the dashboard with its minimum role, and no others', async () => {
  const text = await readFile(new URL('../dist/docs/dashboard-api.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| `((?:GET|POST|PATCH|DELETE) \S+)` \| (\w+) \|/gm)].map(
    ([, route, role]) => `${route} ${role}`,
  );
  const routes = dashboardRoutes({} as Parameters<typeof dashboardRoutes>[0]);
  const declared = routes.map(({ method, path, access }) => `${method} ${path} ${access}`);
  expect(documented.toSorted()).toEqual(declared.toSorted());

  const signIn = [...text.matchAll(/^\| `(\/[a-z/-]+)` \|/gm)].map(([, path]) => path);
  expect(signIn.toSorted()).toEqual(Object.keys(SIGN_IN_ROUTES).toSorted());
});

import { createElement, version } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';

const signUps: [string, string | null][] = [];
const page = globalThis as unknown as Record<string, unknown> & { baseUrl: string };
page.signUps = signUps;
page.reactVersion = version;
const root = document.getElementById('root');
if (root === null) throw new Error('no root');
hydrateRoot(
  root,
  createElement(App, {
    baseUrl: page.baseUrl,
    onSignUp: (email: string, verdict: string | null) => signUps.push([email, verdict]),
  }),
);
requestIdleCallback(() => {
  page.hydrated = true;
});

import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from './app.tsx';

export const html = renderToString(
  createElement(App, { baseUrl: 'https://postern.test', onSignUp: () => {} }),
);

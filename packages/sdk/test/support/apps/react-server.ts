import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from './react-forms.tsx';

export const html = renderToString(createElement(App, { form: 'PlainForm' }));

// The page and the server around sign-up.js. One command: npm run example express
import { fileURLToPath } from 'node:url';
import express from 'express';
import { listening, POSTERN_SCRIPT, readSettings, signUpPage } from '../settings.js';
import { router } from './sign-up.js';

const settings = readSettings();
const app = express();
app.get('/', (_request, response) => response.type('html').send(signUpPage(settings)));
app.get('/postern.js', (_request, response) => response.sendFile(fileURLToPath(POSTERN_SCRIPT)));
app.use(router);
const server = app.listen(settings.port, 'localhost', () => listening(server));

import { createPosternServerClient, expressGuard, getSignUp } from 'postern~sdk-node';
import { listening, readSettings } from './settings.js';

/** The backend of a page that was built before: its files, the settings for the browser, and the sign-up. */
export function serveSinglePage(express, files) {
  const { baseUrl, projectId, clientKey, port } = readSettings();
  const postern = createPosternServerClient();
  const app = express();
  app.use(express.static(files));
  app.get('/settings', (_request, response) => response.json({ baseUrl, projectId, apiKey: clientKey }));
  const parse = express.urlencoded({ extended: false });
  app.post('/sign-up', parse, expressGuard(postern), (request, response) => {
    response.type('text').send(`Welcome, ${getSignUp(request).email}!`);
  });
  const server = app.listen(port, 'localhost', () => listening(server));
}

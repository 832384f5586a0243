import { frameworkSteps, stepsMarkdown } from '@postern/contract/framework-steps';
import type { FrameworkGuide, SdkManifest } from '@postern/contract/sdk-files';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** For coding assistants: `/llms.txt` lists the pages, and `/llms/next.md` has the exact steps for one framework. */
export function addLlmsRoutes(
  server: FastifyInstance,
  manifest: SdkManifest,
  addressFor: (request: FastifyRequest) => string,
): void {
  const send = (reply: FastifyReply, text: string) =>
    reply
      .header('Cache-Control', 'no-store')
      .header('X-Content-Type-Options', 'nosniff')
      .type('text/plain; charset=utf-8')
      .send(text);
  server.get('/llms.txt', { exposeHeadRoute: true }, async (request, reply) =>
    send(reply, indexText(manifest, addressFor(request))),
  );
  server.get<{ Params: { page: string } }>(
    '/llms/:page',
    { exposeHeadRoute: true },
    async (request, reply) => {
      const guide = manifest.frameworks.find(({ id }) => `${id}.md` === request.params.page);
      if (guide === undefined) return reply.callNotFound();
      return send(reply, pageText(guide, manifest, addressFor(request)));
    },
  );
}

function indexText({ frameworks }: SdkManifest, address: string): string {
  const pages = frameworks.map(({ id, title }) => `- [${title}](${address}/llms/${id}.md)`);
  return `# Postern

> Postern checks email addresses in sign-up forms. The page checks while a person types and sends a signed verdict with the form; the backend
> verifies it. Both halves are needed: a form without the backend’s check can be passed by with one request.

Read the page of the project’s framework and follow its steps exactly. The code is the code of tested examples. If the project already has a
sign-up route, put the guard into that route and do not add a second one. If it has a sign-up form, protect that form, and no log-in form.

The packages are on no registry. Install them with the whole line, address included: a package of a similar name on npm is not ours.

${pages.join('\n')}
- [API](${address}/openapi.json)
`;
}

function pageText(guide: FrameworkGuide, manifest: SdkManifest, address: string): string {
  const facts = {
    baseUrl: address,
    projectId: 'YOUR_PROJECT_ID',
    clientKey: 'YOUR_CLIENT_KEY',
    serverKey: 'YOUR_SERVER_KEY',
  };
  return `# Postern in ${guide.title}

The person has a project ID, a client key and a server key from Postern’s dashboard. Ask for them; never invent them. The project must allow the
page’s domain.

${stepsMarkdown(frameworkSteps(guide, manifest, facts))}

## Check it

- \`x@mailinator.com\` in the form is refused with “Please use a permanent email address.”
- \`curl -d email=x@mailinator.com\` to the sign-up route, without a page, is answered with 422. If it is not, the route is not protected.
`;
}

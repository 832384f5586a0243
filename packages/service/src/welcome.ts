import type { Demo } from './operations/first-start.ts';

/** What the first start prints: both keys, once, and a request that works when pasted. */
export function welcome(address: string, { project, client, server }: Demo): string {
  return `
  Welcome to Postern. A demo project is ready; its keys are shown this once.

    Project      ${project.id}
    Server key   ${server.key}
    Client key   ${client.key}   (pages on ${project.allowedDomains.join(', ')})

  Try it:

    ${tryIt(address, project.id, server.key).join(' \\\n      ')}

  Next:
    Documentation:                 ${address}/docs
    Put it into a form:            npx postern sdk
    Projects and keys of your own: npx postern --help
    Check the set-up:              npx postern doctor

`;
}

/** The same for a log of JSON lines. */
export function welcomeFacts(address: string, { project, client, server }: Demo) {
  return {
    project: project.id,
    serverKey: server.key,
    clientKey: client.key,
    tryIt: tryIt(address, project.id, server.key).join(' '),
  };
}

function tryIt(address: string, projectId: string, serverKey: string): readonly string[] {
  return [
    `curl -s ${address}/validate`,
    `-H 'Authorization: Bearer ${serverKey}'`,
    `-H 'X-Project-Id: ${projectId}'`,
    `-d '{"email":"jane.doe@gmail.com"}'`,
  ];
}

/**
 * Printed at every start until there is an account. The token is in the URL fragment, which never appears in a log.
 */
export function setupInvitation(address: string, token: string): string {
  return `  The dashboard has no account yet. This link makes the first one, once, within a day:

    ${setupLink(address, token)}

  Keys are shown once. New ones: npx postern project list, then npx postern key create --project ID --type server (or client)

`;
}

export function setupLink(address: string, token: string): string {
  return `${address}/dashboard/setup#token=${token}`;
}

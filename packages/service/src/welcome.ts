import type { Demo } from './administration/first-start.ts';

/** What the first start prints: both keys, once, and a request that works when pasted. */
export function welcome(address: string, { project, client, server }: Demo): string {
  return `
  Welcome to Postern. A demo project is ready; its keys are shown this once.

    Project      ${project.id}
    Server key   ${server.secret}
    Client key   ${client.secret}   (pages on ${project.allowedDomains.join(', ')})

  Try it:

    curl -s ${address}/validate \\
      -H 'Authorization: Bearer ${server.secret}' \\
      -H 'X-Project-Id: ${project.id}' \\
      -d '{"email":"jane.doe@gmail.com"}'

  Next:
    The API:                       ${address}/docs
    Put it into a form:            npx postern sdk
    Projects and keys of your own: npx postern --help
    Is all as it should be?        npx postern doctor

`;
}

/**
 * Printed at every start until somebody has an account. The token is in the URL fragment, which never appears in a log.
 */
export function setupInvitation(address: string, token: string): string {
  return `  The dashboard has no account yet. This link makes the first one, once, within a day:

    ${address}/dashboard/setup#token=${token}

`;
}

import { createPosternServerClient } from 'postern~sdk-node';

// POSTERN_URL, POSTERN_PROJECT_ID and POSTERN_SERVER_KEY come from the environment.
const postern = createPosternServerClient();

export async function signUp(request, response) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const form = new URLSearchParams(body);
  const result = await postern.evaluateSignUp({
    email: form.get('email'),
    verdict: form.get('postern-verdict'),
    request,
  });
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  if (!result.accepted) return response.writeHead(result.status).end(result.message);
  response.end(`Welcome, ${result.email}! (${result.recommendation}, by ${result.source})`);
}

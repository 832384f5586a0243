// A route handler as Next’s app router calls it: a web Request in, a web Response out.
import { createPosternServerClient } from '@postern/sdk-node';

const postern = createPosternServerClient();

export async function POST(request) {
  const form = await request.formData();
  const signUp = await postern.evaluateSignUp({
    email: form.get('email'),
    verdict: form.get('postern-verdict'),
    request,
  });
  if (!signUp.accepted) return Response.json({ error: signUp.message }, { status: signUp.status });
  return new Response(`Welcome, ${signUp.email}! (${signUp.recommendation}, by ${signUp.source})`);
}

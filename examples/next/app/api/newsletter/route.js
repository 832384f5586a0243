// proxy.js has checked the address already.
export async function POST(request) {
  const form = await request.formData();
  return new Response(`Welcome, ${form.get('email')}!`);
}

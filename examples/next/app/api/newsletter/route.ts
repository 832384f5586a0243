// proxy.ts has checked the address already.
export async function POST(request: Request) {
  const form = await request.formData();
  return Response.json({ welcome: form.get('email') });
}

/**
 * Asks a service what the API promises and prints one line for each answer, so that two installations can be compared:
 * conformance.mjs URL PROJECT SERVER_KEY CLIENT_KEY. The project allows https://app.example and has a quota of 12.
 */
const [url, project, serverKey, clientKey] = process.argv.slice(2);
const page = { origin: 'https://app.example' };
const run = Date.now().toString(36);

async function ask(method, path, headers = {}, body = undefined) {
  const answer = await fetch(`${url}${path}`, { method, headers, body });
  const text = await answer.text();
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: answer.status, headers: answer.headers, json };
}

const validate = (body, headers = {}, key = serverKey, path = '/validate') =>
  ask(
    'POST',
    path,
    {
      authorization: `Bearer ${key}`,
      'x-project-id': project,
      'content-type': 'application/json',
      ...headers,
    },
    typeof body === 'string' ? body : JSON.stringify(body),
  );

const fields = ({ json }) =>
  json?.error ??
  Object.keys(json ?? {})
    .sort()
    .join(' ');
const EMAIL = { email: 'jane.doe@gmail.com' };

/** In order: the quota of 12 is used up by the requests that are answered 200. */
const CASES = {
  'an ordinary address': () => validate(EMAIL),
  'the versioned path': () => validate(EMAIL, {}, serverKey, '/v1/validate'),
  'a disposable address': () => validate({ email: 'x@mailinator.com' }),
  'a page with the client key': () => validate(EMAIL, page, clientKey),
  'a body that is not JSON': () => validate('{'),
  'no address': () => validate({}),
  'no key': () => ask('POST', '/validate', { 'x-project-id': project }, '{}'),
  'a wrong key': () => validate(EMAIL, {}, `${serverKey}x`),
  'no project': async () => {
    const answer = await ask(
      'POST',
      '/validate',
      { authorization: `Bearer ${serverKey}` },
      JSON.stringify(EMAIL),
    );
    // The router cannot know the cell, and another cell does not know the key.
    const refused = [400, 401].includes(answer.status);
    return refused ? { status: '400 or 401' } : answer;
  },
  'another page': () => validate(EMAIL, { origin: 'https://other.example' }, clientKey),
  'a server key in a browser': () => validate(EMAIL, page),
  'a body that is too large': () => validate({ ...EMAIL, fingerprintHash: 'x'.repeat(400_000) }),
  'another method': () => ask('PUT', '/validate', { 'x-project-id': project }, '{}'),
  'another path': () => ask('GET', '/nowhere'),
  'a preflight request': () =>
    ask('OPTIONS', '/validate', {
      ...page,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-project-id',
    }),
  'a request that is sent twice with one Idempotency-Key': async () => {
    const headers = { 'idempotency-key': `conformance-${run}` };
    const first = await validate(EMAIL, headers);
    const second = await validate(EMAIL, headers);
    const [one, two] = [first, second].map((answer) => answer.headers.get('x-postern-verdict'));
    return { ...second, note: one === two ? 'the same answer' : 'two answers' };
  },
  'another body with that Idempotency-Key': () =>
    validate({ email: 'other@gmail.com' }, { 'idempotency-key': `conformance-${run}` }),
  'the published keys': () => ask('GET', '/.well-known/jwks.json'),
  'an outcome': () =>
    ask(
      'POST',
      '/v1/outcomes',
      { authorization: `Bearer ${serverKey}`, 'x-project-id': project, 'content-type': 'application/json' },
      JSON.stringify({ outcomes: [{ ...EMAIL, outcome: 'good' }] }),
    ),
  'the request after the last of the quota': async () => {
    for (let tries = 0; tries < 20; tries += 1) {
      const answer = await validate(EMAIL);
      if (answer.status !== 200)
        return { ...answer, note: `after ${answer.headers.get('x-quota-used')} counted` };
    }
    throw new Error('The quota of 12 is never used up');
  },
};

for (const [name, test] of Object.entries(CASES)) {
  const answer = await test();
  console.log([name, answer.status, fields(answer), answer.note].filter(Boolean).join(' | '));
}

// node deploy/trials/recipe-webhooks.mjs [LANGUAGE…]: takes the code out of docs/recipes/webhooks.md and gives it a delivery of a real
// service, as it came and changed in several ways; then it reports an outcome. A language that is not installed is skipped and named.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import '../../scripts/typescript.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Each program reads the cases as JSON and prints for each the event’s type, or `none`; then what two reports said. */
const LANGUAGES = {
  python: {
    needs: ['python3', ['--version']],
    file: 'recipe.py',
    main: `
import sys
given = json.load(sys.stdin)
for case in given["cases"]:
    event = webhook_event(case["secret"], case["headers"], case["body"].encode())
    print(event["type"] if event else "none")
print(report(given["requestId"], "bad"), report("nobody-knows-it", "bad"))
`,
    start: ['python3', ['recipe.py']],
    reported: 'True False',
  },
  php: {
    needs: ['php', ['--version']],
    file: 'recipe.php',
    main: `
$given = json_decode(file_get_contents('php://stdin'), true);
foreach ($given['cases'] as $case) {
    echo webhookEvent($case['secret'], $case['headers'], $case['body'])['type'] ?? 'none', "\\n";
}
echo json_encode(report($given['requestId'], 'bad')), ' ', json_encode(report('nobody-knows-it', 'bad')), "\\n";
`,
    start: ['php', ['recipe.php']],
    reported: 'true false',
  },
  ruby: {
    needs: ['ruby', ['--version']],
    file: 'recipe.rb',
    main: `
given = JSON.parse($stdin.read)
given["cases"].each do |one|
  event = webhook_event(one["secret"], one["headers"], one["body"])
  puts event ? event["type"] : "none"
end
puts [report(given["requestId"], "bad"), report("nobody-knows-it", "bad")].join(" ")
`,
    start: ['ruby', ['recipe.rb']],
    reported: 'true false',
  },
  go: {
    needs: ['go', ['version']],
    file: 'recipe.go',
    main: `
func main() {
	var given struct {
		RequestID string
		Cases     []struct {
			Secret, Body string
			Headers      map[string]string
		}
	}
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	for _, one := range given.Cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		if event := WebhookEvent(one.Secret, header, []byte(one.Body)); event != nil {
			fmt.Println(event.Type)
		} else {
			fmt.Println("none")
		}
	}
	known, err := Report(given.RequestID, "bad")
	unknown, again := Report("nobody-knows-it", "bad")
	fmt.Println(known && err == nil, unknown || again != nil)
}
`,
    start: ['go', ['run', 'recipe.go']],
    reported: 'true false',
  },
};

async function codeOf(name, service, project) {
  const page = await readFile(join(root, 'docs/recipes/webhooks.md'), 'utf8');
  const code = new RegExp(`^\`\`\`${name}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1];
  if (code === undefined) throw new Error(`docs/recipes/webhooks.md has no code in ${name}`);
  return code
    .replace('import (\n\t"bytes"', 'import (\n\t"os"\n\t"bytes"')
    .replaceAll('https://postern.example.com', service.url)
    .replaceAll('YOUR_PROJECT_ID', project.id)
    .replaceAll('YOUR_SERVER_KEY', project.serverKey);
}

function sign(secret, { headers, body }) {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** The delivery as it came, and what must not pass for one. */
function casesOf({ headers, body }, secret) {
  const change = (more) => ({ headers: { ...headers, ...more }, body, secret });
  const old = { headers: { ...headers, 'webhook-timestamp': '1700000000' }, body };
  const type = JSON.parse(body).type;
  return [
    ['as it came', type, change({})],
    ['two signatures', type, change({ 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` })],
    ['another secret', 'none', { headers, body, secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` }],
    ['a changed body', 'none', { headers, body: body.replace('mailinator', 'gmail'), secret }],
    ['another ID', 'none', change({ 'webhook-id': 'evt_other' })],
    ['no signature', 'none', change({ 'webhook-signature': '' })],
    ['no time', 'none', change({ 'webhook-timestamp': 'now' })],
    [
      'an old one',
      'none',
      { ...old, secret, headers: { ...old.headers, 'webhook-signature': sign(secret, old) } },
    ],
  ];
}

async function tryLanguage(name, service, project, delivery, secret) {
  const { file, main, start, reported } = LANGUAGES[name];
  const folder = await mkdtemp(join(tmpdir(), `postern-webhooks-${name}-`));
  try {
    await writeFile(join(folder, file), `${await codeOf(name, service, project)}${main}`);
    const cases = casesOf(delivery, secret);
    const program = run(...start, { cwd: folder });
    const { requestId } = JSON.parse(delivery.body).data;
    program.child.stdin.end(JSON.stringify({ requestId, cases: cases.map(([, , one]) => one) }));
    const { stdout } = await program;
    const expected = [...cases.map(([what, outcome]) => [what, outcome]), ['reporting outcomes', reported]];
    const printed = stdout.trim().split('\n');
    const wrong = expected.filter(([, outcome], index) => printed[index] !== outcome);
    if (wrong.length > 0)
      throw new Error(`wrong about ${wrong.map(([what]) => what).join(', ')}:\n${stdout}`);
    console.log(`${name}: right about ${expected.length} cases`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const { startService } = await import('../../packages/service/test/support/service.ts');
const { createWebhook } = await import('../../packages/service/test/support/webhooks.ts');
const service = await startService({ env: { POSTERN_WEBHOOK_ALLOW: '127.0.0.1/32' } });
const receiver = createServer();
try {
  const project = await service.makeProject();
  const received = new Promise((resolve) => {
    receiver.on('request', async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      response.writeHead(204).end();
      resolve({ headers: request.headers, body });
    });
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${receiver.address().port}/hook`;
  const { secret } = await service.admin((admin) => createWebhook(admin, { projectId: project.id, url }));
  await project.validate({ email: 'mallory@mailinator.com' });
  const delivery = await received;
  const asked = process.argv.slice(2);
  for (const name of asked.length === 0 ? Object.keys(LANGUAGES) : asked) {
    const isInstalled = await run(...LANGUAGES[name].needs).then(
      () => true,
      () => false,
    );
    if (!isInstalled) {
      console.log(`${name}: skipped, it is not installed`);
      if (process.env.RECIPES_MUST_RUN) process.exitCode = 1;
      continue;
    }
    await tryLanguage(name, service, project, delivery, secret).catch((error) => {
      process.exitCode = 1;
      console.log(`${name}: ${error.message}\n${error.stderr ?? ''}`);
    });
  }
} finally {
  receiver.close();
  receiver.closeAllConnections();
  await service.close();
}

// Takes the code out of docs/recipes, puts a small program around it and runs that against a real service: a good verdict, a
// used one, another address, a forged signature, another project’s verdict, a test key’s verdict, and a question.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { register } from 'tsx/esm/api';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const JACKSON = ['databind', 'core', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`);
const GO_LIBRARY = '/usr/share/gocode/src/github.com/golang-jwt/jwt';

/** Each program prints one line for each case: the recommendation, or `none`. */
const LANGUAGES = {
  python: {
    needs: async () => run('/usr/bin/python3', ['-c', 'import jwt, cryptography, requests']),
    files: (code) => ({
      'recipe.py': `${code}
import os, sys
for case in sys.stdin.read().splitlines():
    token, email = case.split(" ")
    claims = verify(token, email)
    print(claims["recommendation"] if claims else "none")
print(ask("x@mailinator.com", "203.0.113.7", "trial"))
`,
    }),
    start: ['/usr/bin/python3', ['recipe.py']],
  },
  php: {
    needs: async () =>
      run('php', ['-r', 'exit(extension_loaded("sodium") && extension_loaded("curl") ? 0 : 1);']),
    files: (code) => ({
      'recipe.php': `${code}
$used = [];
$firstUse = function (string $id) use (&$used): bool {
    $new = !isset($used[$id]);
    $used[$id] = true;
    return $new;
};
$keys = fetchKeys();
foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $case) {
    [$token, $email] = explode(' ', $case);
    echo verify($token, $email, $keys, $firstUse)['recommendation'] ?? 'none', "\\n";
}
echo ask('x@mailinator.com', '203.0.113.7', 'trial', getenv('SERVER_KEY')), "\\n";
`,
    }),
    start: ['php', ['recipe.php']],
  },
  ruby: {
    needs: async () => run('ruby', ['-e', 'require "openssl"']),
    files: (code) => ({
      'recipe.rb': `${code}
used = {}
keys = fetch_keys
$stdin.each_line(chomp: true) do |line|
  token, email = line.split(" ")
  claims = verify(token, email, keys) { |id, _until| used[id] ? false : used[id] = true }
  puts claims ? claims["recommendation"] : "none"
end
puts ask("x@mailinator.com", "203.0.113.7", "trial", ENV.fetch("SERVER_KEY"))
`,
    }),
    start: ['ruby', ['recipe.rb']],
  },
  go: {
    needs: async () => {
      await run('go', ['version']);
      if (!existsSync(GO_LIBRARY)) throw new Error('golang-jwt is missing');
    },
    files: (code) => ({
      // Debian has version 4 under its first path. The functions used here are the same.
      'go/src/signup/signup.go': code.replace('golang-jwt/jwt/v5', 'golang-jwt/jwt'),
      'go/src/trial/main.go': `package main

import (
	"bufio"
	"fmt"
	"os"
	"signup"
	"strings"
	"time"
)

func main() {
	used := map[string]bool{}
	firstUse := func(id string, _ time.Time) bool {
		known := used[id]
		used[id] = true
		return !known
	}
	keys, err := signup.FetchKeys()
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		token, email, _ := strings.Cut(lines.Text(), " ")
		claims, err := signup.Verify(token, email, keys, firstUse)
		if err != nil {
			fmt.Println("none")
		} else {
			fmt.Println(claims.Recommendation)
		}
	}
	recommendation, err := signup.Ask("x@mailinator.com", "203.0.113.7", "trial", os.Getenv("SERVER_KEY"))
	fmt.Println(recommendation, err == nil)
}
`,
    }),
    start: ['go', ['run', 'trial']],
    asked: 'block true',
    environment: (folder) => ({ GOPATH: `${join(folder, 'go')}:/usr/share/gocode`, GO111MODULE: 'off' }),
  },
  java: {
    needs: async () => {
      await run('javac', ['-version']);
      if (!JACKSON.every((jar) => existsSync(jar))) throw new Error('Jackson is missing');
    },
    files: (code) => ({
      'Verdicts.java': `${code}
class Trial {
  public static void main(String[] arguments) throws Exception {
    Set<String> used = new HashSet<>();
    var keys = Verdicts.fetchKeys();
    var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    for (String line; (line = lines.readLine()) != null;) {
      String[] parts = line.split(" ");
      var claims = Verdicts.verify(parts[0], parts[1], keys, used::add);
      System.out.println(claims.map((found) -> found.get("recommendation").asText()).orElse("none"));
    }
    System.out.println(Verdicts.ask("x@mailinator.com", "203.0.113.7", "trial", System.getenv("SERVER_KEY")));
  }
}
`,
    }),
    build: ['javac', ['-cp', JACKSON.join(':'), 'Verdicts.java']],
    start: ['java', ['-cp', ['.', ...JACKSON].join(':'), 'Trial']],
  },
};

async function codeOf(name, service, project) {
  const recipe = await readFile(join(root, 'docs/recipes', `${name}.md`), 'utf8');
  const code = /^```\w+\n(.*?)^```$/ms.exec(recipe)?.[1];
  if (code === undefined) throw new Error(`docs/recipes/${name}.md has no code`);
  return code
    .replaceAll('https://postern.example.com', service.url)
    .replaceAll('YOUR_PROJECT_ID', project.id)
    .replaceAll('YOUR_SERVER_KEY', project.serverKey);
}

/** Verdicts and what a backend must make of them. */
async function casesOf(service, project, testKey) {
  const verdictFor = async (email, from, key) => {
    const headers = { Authorization: `Bearer ${key}`, 'X-Project-Id': from.id };
    const body = JSON.stringify({ email });
    const answer = await fetch(`${service.url}/validate`, { method: 'POST', headers, body });
    return answer.headers.get('x-postern-verdict');
  };
  const email = 'Jane.Doe@gmail.com';
  const good = await verdictFor(email, project, project.serverKey);
  const second = await verdictFor(email, project, project.serverKey);
  const blocked = await verdictFor('x@mailinator.com', project, project.serverKey);
  const other = await service.makeProject();
  const foreign = await verdictFor(email, other, other.serverKey);
  const test = await verdictFor(email, project, testKey);
  const forged = second.replace(/\.([^.])/, (_, first) => `.${first === 'e' ? 'f' : 'e'}`);
  const [, claims, signature] = second.split('.');
  const none = Buffer.from('{"alg":"none","typ":"postern-verdict+jwt"}').toString('base64url');
  return [
    ['a good verdict', good, email, 'allow'],
    ['a verdict that was used before', good, email, 'none'],
    ['a verdict for another address', second, 'john.doe@gmail.com', 'none'],
    ['a forged verdict', forged, email, 'none'],
    ['a verdict with another signature', second.replace(/.{8}$/, 'AAAAAAAA'), email, 'none'],
    ['a verdict with alg none', `${none}.${claims}.${signature}`, email, 'none'],
    ['another project’s verdict', foreign, email, 'none'],
    ['a test key’s verdict', test, email, 'none'],
    ['text that is no verdict', 'a.b.c', email, 'none'],
    ['a verdict that blocks', blocked, 'x@mailinator.com', 'block'],
  ];
}

async function tryRecipe(name, service, project, testKey) {
  const { files, build, start, asked = 'block', environment = () => ({}) } = LANGUAGES[name];
  const folder = await mkdtemp(join(tmpdir(), `postern-${name}-`));
  try {
    for (const [path, text] of Object.entries(files(await codeOf(name, service, project)))) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const env = { ...process.env, SERVER_KEY: project.serverKey, ...environment(folder) };
    if (build !== undefined) await run(...build, { cwd: folder, env });
    const cases = await casesOf(service, project, testKey);
    const program = run(...start, { cwd: folder, env });
    program.child.stdin.end(cases.map(([, token, email]) => `${token} ${email}\n`).join(''));
    const { stdout } = await program;
    const printed = stdout.trim().split('\n');
    const expected = [...cases.map(([what, , , outcome]) => [what, outcome]), ['asking the service', asked]];
    const wrong = expected.filter(([, outcome], index) => printed[index] !== outcome);
    if (wrong.length > 0)
      throw new Error(`wrong about ${wrong.map(([what]) => what).join(', ')}:\n${stdout}`);
    console.log(`${name}: right about ${expected.length} cases`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

register();
const { createKey, startService } = await import('../../packages/service/test/support/service.ts');
const asked = process.argv.slice(2);
const service = await startService();
try {
  const project = await service.makeProject();
  const { secret: testKey } = await service.admin((admin) =>
    createKey(admin, { projectId: project.id, type: 'server', mode: 'test' }),
  );
  for (const name of asked.length === 0 ? Object.keys(LANGUAGES) : asked) {
    try {
      await LANGUAGES[name].needs();
    } catch {
      console.log(`${name}: skipped, its tools are not installed`);
      continue;
    }
    try {
      await tryRecipe(name, service, project, testKey);
    } catch (error) {
      process.exitCode = 1;
      console.log(`${name}: ${error.message}\n${error.stderr ?? ''}`);
    }
  }
} finally {
  await service.close();
}

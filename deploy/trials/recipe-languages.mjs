// The small programs around the recipes’ code, and the Debian packages that they need.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
// Packages that are too old in this Debian, unpacked by recipes.sh --install.
const UNPACKED = process.env.RECIPE_LIBRARIES ?? '/var/cache/postern-recipes';
const RUBY_JWT = join(UNPACKED, 'usr/share/rubygems-integration/all/gems/jwt-2.7.1/lib');
const JARS = [pathOf('java/jose4j.jar'), pathOf('java/slf4j-api.jar')];

/** Where a package’s file is: among the unpacked ones or in the system. */
function pathOf(file) {
  const unpacked = join(UNPACKED, 'usr/share', file);
  return existsSync(unpacked) ? unpacked : join('/usr/share', file);
}

function mustExist(...files) {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} is missing`);
}

/** Each program prints one line for each case: the recommendation, or `none`. */
export const LANGUAGES = {
  python: {
    needs: async () => run('/usr/bin/python3', ['-c', 'import jwt, cryptography, requests, flask']),
    files: (code, handler) => ({
      'recipe.py': `${code}${handler}
import os, sys
for case in sys.stdin.read().splitlines():
    token, email = case.split(" ")
    claims = verify(token, email)
    print(claims["recommendation"] if claims else "none")
print(ask("x@mailinator.com", "203.0.113.7", "trial"))

def post(key: str, verdict: str) -> int:
    global SERVER_KEY
    SERVER_KEY = key
    fields = {"email": "x@mailinator.com", "postern-verdict": verdict}
    return app.test_client().post("/sign-up", data=fields).status_code

key = SERVER_KEY
print(post("wrong", os.environ["BLOCKED"]))
print(post(key, ""))
print(post("wrong", ""))
`,
    }),
    handler: true,
    start: ['/usr/bin/python3', ['recipe.py']],
  },
  php: {
    needs: async () => {
      await run('php', ['-r', 'exit(extension_loaded("sodium") && extension_loaded("curl") ? 0 : 1);']);
      mustExist(pathOf('php/Lcobucci/JWT'), pathOf('php/Lcobucci/Clock'), pathOf('php/Psr/Clock'));
    },
    files: (code) => ({
      // In place of Composer’s.
      'vendor/autoload.php': `<?php
spl_autoload_register(function (string $class): void {
    $file = strtr($class, '\\\\', '/') . '.php';
    foreach (['${UNPACKED}/usr/share/php/', '/usr/share/php/'] as $folder) {
        if (is_file($folder . $file)) {
            require $folder . $file;
            return;
        }
    }
});
`,
      'recipe.php': `${code}
$used = [];
$firstUse = function (string $id) use (&$used): bool {
    $new = !isset($used[$id]);
    $used[$id] = true;
    return $new;
};
foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $case) {
    [$token, $email] = explode(' ', $case);
    echo verify($token, $email, $firstUse)['recommendation'] ?? 'none', "\\n";
}
echo ask('x@mailinator.com', '203.0.113.7', 'trial', getenv('SERVER_KEY')), "\\n";
`,
    }),
    start: ['php', ['recipe.php']],
  },
  ruby: {
    needs: async () =>
      run('ruby', ['-e', 'require "rbnacl"; require "jwt"; JWT::JWK::OKPRbNaCl'], {
        env: { ...process.env, ...rubyLibrary() },
      }),
    files: (code) => ({
      'recipe.rb': `${code}
used = {}
$stdin.each_line(chomp: true) do |line|
  token, email = line.split(" ")
  claims = Verdicts.verify(token, email) { |id, _until| used[id] ? false : used[id] = true }
  puts claims ? claims["recommendation"] : "none"
end
puts Verdicts.ask("x@mailinator.com", "203.0.113.7", "trial", ENV.fetch("SERVER_KEY"))
`,
    }),
    start: ['ruby', ['recipe.rb']],
    environment: rubyLibrary,
  },
  go: {
    needs: async () => {
      await run('go', ['version']);
      mustExist(pathOf('gocode/src/github.com/golang-jwt/jwt/v5'));
    },
    files: (code, handler) => ({
      'go/src/signup/signup.go': code,
      'go/src/signup/handler.go': handler,
      'go/src/trial/main.go': `package main

import (
	"bufio"
	"fmt"
	"net/http/httptest"
	"net/url"
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
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		token, email, _ := strings.Cut(lines.Text(), " ")
		claims, err := signup.Verify(token, email, firstUse)
		if err != nil {
			fmt.Println("none")
		} else {
			fmt.Println(claims.Recommendation)
		}
	}
	recommendation, err := signup.Ask("x@mailinator.com", "203.0.113.7", "trial", os.Getenv("SERVER_KEY"))
	fmt.Println(recommendation, err == nil)
	post := func(key, verdict string) int {
		form := url.Values{"email": {"x@mailinator.com"}, "postern-verdict": {verdict}}
		request := httptest.NewRequest("POST", "/sign-up", strings.NewReader(form.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		response := httptest.NewRecorder()
		signup.SignUp(key, firstUse)(response, request)
		return response.Code
	}
	fmt.Println(post("wrong", os.Getenv("BLOCKED")))
	fmt.Println(post(os.Getenv("SERVER_KEY"), ""))
	fmt.Println(post("wrong", ""))
}
`,
    }),
    handler: true,
    start: ['go', ['run', 'trial']],
    asked: 'block true',
    environment: (folder) => ({
      GOPATH: [join(folder, 'go'), join(UNPACKED, 'usr/share/gocode'), '/usr/share/gocode'].join(':'),
      GO111MODULE: 'off',
    }),
  },
  java: {
    needs: async () => {
      await run('javac', ['-version']);
      mustExist(...JARS);
    },
    files: (code) => ({
      'Verdicts.java': `${code}
class Trial {
  public static void main(String[] arguments) throws Exception {
    Set<String> used = new HashSet<>();
    // By default jose4j does not fetch twice within 300 ms, but the cases follow each other faster.
    Verdicts.KEYS.setRefreshReprieveThreshold(0);
    var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    for (String line; (line = lines.readLine()) != null;) {
      String[] parts = line.split(" ");
      var claims = Verdicts.verify(parts[0], parts[1], used::add);
      System.out.println(claims.map((found) -> (String) found.getClaimValue("recommendation")).orElse("none"));
    }
    System.out.println(Verdicts.ask("x@mailinator.com", "203.0.113.7", "trial", System.getenv("SERVER_KEY")));
  }
}
`,
    }),
    build: ['javac', ['-cp', JARS.join(':'), 'Verdicts.java']],
    start: ['java', ['-cp', ['.', ...JARS].join(':'), 'Trial']],
  },
};

function rubyLibrary() {
  return existsSync(RUBY_JWT) ? { RUBYLIB: RUBY_JWT } : {};
}

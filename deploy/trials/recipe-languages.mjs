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
const SPRING = ['core', 'beans', 'aop', 'context', 'expression', 'web', 'web.servlet', 'test']
  .map((name) => `spring3-${name}`)
  .concat('commons-logging', 'servlet-api', 'jackson-core', 'jackson-annotations', 'jackson-databind')
  .map((name) => `/usr/share/java/${name}.jar`);
const CLASS_PATH = ['.', ...JARS, ...SPRING].join(':');
// Android’s classes, for a JVM.
const ANDROID_JSON = '/usr/share/java/com.android.json.jar';
const KOTLIN_CLASS_PATH = ['.', ANDROID_JSON, '/usr/share/java/kotlin-stdlib.jar', ...JARS].join(':');

/** Where a package’s file is: among the unpacked ones or in the system. */
function pathOf(file) {
  const unpacked = join(UNPACKED, 'usr/share', file);
  return existsSync(unpacked) ? unpacked : join('/usr/share', file);
}

function mustExist(...files) {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} is missing`);
}

/**
 * Each program prints one line for each case: the recommendation, or `none`. Then it asks the service, and then it posts to the
 * handler in its framework and prints the statuses.
 */
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
print(post(key, os.environ["FORGED"]))
print(post(key, ""))
print(post("down", ""))
`,
    }),
    start: ['/usr/bin/python3', ['recipe.py']],
  },
  php: {
    needs: async () => {
      await run('php', ['-r', 'exit(extension_loaded("sodium") && extension_loaded("curl") ? 0 : 1);']);
      mustExist(pathOf('php/Lcobucci/JWT'), pathOf('php/Lcobucci/Clock'), pathOf('php/Psr/Clock'));
      mustExist('/usr/share/php/Illuminate/Foundation/Application.php');
    },
    files: (code, handler) => ({
      // In place of Composer’s.
      'vendor/autoload.php': `<?php
require_once '/usr/share/php/Illuminate/autoload.php';
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
      'bootstrap/cache/.gitkeep': '',
      'config/app.php': `<?php return ['key' => str_repeat('k', 32), 'cipher' => 'AES-256-CBC', 'timezone' => 'UTC', 'providers' => [
    Illuminate\\Cache\\CacheServiceProvider::class, Illuminate\\Filesystem\\FilesystemServiceProvider::class,
    Illuminate\\View\\ViewServiceProvider::class,
]];
`,
      'config/cache.php': `<?php return ['default' => 'array', 'stores' => ['array' => ['driver' => 'array']]];
`,
      'config/view.php': `<?php return ['paths' => [], 'compiled' => __DIR__];
`,
      'config/logging.php': `<?php return ['default' => 'single', 'channels' => ['single' => ['driver' => 'single', 'path' => 'log']]];
`,
      'verdicts.php': code,
      'routes.php': handler,
      'recipe.php': `<?php
error_reporting(E_ALL & ~E_DEPRECATED); // Debian’s Laravel 8 is older than this PHP
require 'verdicts.php';
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

$app = new Illuminate\\Foundation\\Application(__DIR__);
$app->singleton(Illuminate\\Contracts\\Debug\\ExceptionHandler::class, Illuminate\\Foundation\\Exceptions\\Handler::class);
$kernel = $app->make(Illuminate\\Foundation\\Http\\Kernel::class);
$kernel->bootstrap();
error_reporting(E_ALL & ~E_DEPRECATED);
require 'routes.php';
function post(string $key, string $verdict): int {
    global $kernel;
    config(['services.postern.key' => $key]);
    $fields = ['email' => 'x@mailinator.com', 'postern-verdict' => $verdict];
    return $kernel->handle(Illuminate\\Http\\Request::create('/sign-up', 'POST', $fields))->getStatusCode();
}
echo post('wrong', getenv('BLOCKED')), "\\n", post(getenv('SERVER_KEY'), getenv('FORGED')), "\\n";
echo post(getenv('SERVER_KEY'), ''), "\\n", post('down', ''), "\\n";
`,
    }),
    start: ['php', ['recipe.php']],
  },
  ruby: {
    needs: async () =>
      run('ruby', ['-e', 'require "action_controller/railtie"; require "jwt"; JWT::JWK::OKPRbNaCl'], {
        env: { ...process.env, ...rubyLibrary() },
      }),
    files: (code, handler) => ({
      'sign_ups_controller.rb': handler,
      'recipe.rb': `${code}
used = {}
$stdin.each_line(chomp: true) do |line|
  token, email = line.split(" ")
  claims = Verdicts.verify(token, email) { |id, _until| used[id] ? false : used[id] = true }
  puts claims ? claims["recommendation"] : "none"
end
puts Verdicts.ask("x@mailinator.com", "203.0.113.7", "trial", ENV.fetch("SERVER_KEY"))

require "action_controller/railtie"
class Application < Rails::Application
  config.eager_load = false
  config.secret_key_base = "trial"
  config.hosts.clear
  config.logger = Logger.new(File::NULL)
  config.cache_store = :memory_store
end
class ApplicationController < ActionController::Base
end
require_relative "sign_ups_controller"
Application.initialize!
Application.routes.draw { post "/sign-up", to: "sign_ups#create" }

def post(key, verdict)
  ENV["POSTERN_SERVER_KEY"] = key
  session = ActionDispatch::Integration::Session.new(Application)
  session.post("/sign-up", params: { "email" => "x@mailinator.com", "postern-verdict" => verdict })
end
key = ENV.fetch("SERVER_KEY")
puts post("wrong", ENV.fetch("BLOCKED")), post(key, ENV.fetch("FORGED")), post(key, ""), post("down", "")
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
	fmt.Println(post(os.Getenv("SERVER_KEY"), os.Getenv("FORGED")))
	fmt.Println(post(os.Getenv("SERVER_KEY"), ""))
	fmt.Println(post("down", ""))
}
`,
    }),
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
      mustExist(...JARS, ...SPRING);
    },
    files: (code, handler) => ({
      'SignUpController.java': `import jakarta.servlet.http.HttpServletRequest;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import org.jose4j.jwt.JwtClaims;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

${handler}`.replace('jakarta.', 'javax.'), // until Spring 6
      'Verdicts.java': `${code}
class Trial {
  public static void main(String[] arguments) throws Exception {
    Set<String> used = new HashSet<>();
    int unknownKeys = 0;
    var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    for (String line; (line = lines.readLine()) != null;) {
      // Here jose4j counts the 30 seconds from the first fetch, which was just now.
      if (++unknownKeys == 2) Thread.sleep(350); // longer than jose4j’s own limit
      if (unknownKeys > Integer.parseInt(System.getenv("UNKNOWN_KEYS"))) Verdicts.KEYS.setRefreshReprieveThreshold(0);
      String[] parts = line.split(" ");
      var claims = Verdicts.verify(parts[0], parts[1], used::add);
      System.out.println(claims.map((found) -> (String) found.getClaimValue("recommendation")).orElse("none"));
    }
    System.out.println(Verdicts.ask("x@mailinator.com", "203.0.113.7", "trial", System.getenv("SERVER_KEY")));
    String key = System.getenv("SERVER_KEY");
    System.out.println(post("wrong", System.getenv("BLOCKED")));
    System.out.println(post(key, System.getenv("FORGED")));
    System.out.println(post(key, ""));
    System.out.println(post("down", ""));
  }

  static int post(String key, String verdict) throws Exception {
    var controller = new SignUpController();
    controller.serverKey = key;
    var form = org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post("/sign-up")
        .param("email", "x@mailinator.com").param("postern-verdict", verdict);
    return org.springframework.test.web.servlet.setup.MockMvcBuilders.standaloneSetup(controller).build()
        .perform(form).andReturn().getResponse().getStatus();
  }
}
`,
    }),
    build: ['javac', ['-parameters', '-cp', CLASS_PATH, 'Verdicts.java', 'SignUpController.java']],
    start: ['java', ['-cp', CLASS_PATH, 'Trial']],
  },
  // The app’s half, and a backend with the Java recipe’s class.
  kotlin: {
    needs: async () => {
      await run('javac', ['-version']);
      mustExist('/usr/bin/kotlinc', ANDROID_JSON, ...JARS);
    },
    also: ['java'],
    files: (app, backend, verdicts) => ({
      'Verdicts.java': verdicts,
      'Recipe.kt': `${app}
${backend}
fun show(answer: EmailAnswer) = println("\${answer.mayPass} \${answer.message != null} \${answer.verdict != null}")

fun main(arguments: Array<String>) {
    val verdict = System.getenv(arguments[0])
    println(recommendation("x@mailinator.com", verdict, "203.0.113.7", "trial"))
    println(recommendation("x@mailinator.com", null, "203.0.113.7", "trial"))
    if (arguments[0] == "FORGED") {
        show(askPostern("jane.doe@gmail.com", "com.example.shop", "device"))
        show(askPostern("x@mailinator.com", "com.example.shop", null))
        show(askPostern("no address", "com.example.shop", null))
        show(askPostern("jane.doe@gmail.com", "com.example.unknown", null))
    }
}
`,
    }),
    build: [
      'sh',
      [
        '-c',
        `javac -cp ${KOTLIN_CLASS_PATH} Verdicts.java && kotlinc -nowarn -cp ${KOTLIN_CLASS_PATH} -d . Recipe.kt`,
      ],
    ],
    start: [
      'sh',
      ['-c', `java $FLAGS RecipeKt FORGED && POSTERN_SERVER_KEY=down java $FLAGS RecipeKt BLOCKED`],
    ],
    // Android lets an app set `Origin`, a JVM only with this flag.
    environment: () => ({ FLAGS: `-Dsun.net.http.allowRestrictedHeaders=true -cp ${KOTLIN_CLASS_PATH}` }),
    expected: [
      ['the backend with a forged verdict that says allow', 'block'],
      ['the backend without a verdict', 'block'],
      ['the app with a good address: may pass, no message, a verdict', 'true false true'],
      ['the app with a throwaway address', 'false true true'],
      ['the app with no address', 'false true false'],
      ['the app that is not allowed', 'true false false'],
      ['the backend with a verdict that says block, while the service is down', 'block'],
      ['the backend without a verdict, while the service is down', 'allow'],
    ],
  },
};

function rubyLibrary() {
  return existsSync(RUBY_JWT) ? { RUBYLIB: RUBY_JWT } : {};
}

import type { Framework, Project } from './project.ts';

interface ServerFramework {
  readonly guard: string;
  /** How the app is made, to find the file and the variable. */
  readonly made: RegExp;
  /** What stands in the route between its path and its handler. */
  readonly inRoute: string;
  /** A route for a project that has none. `app` is the variable’s name. */
  readonly route: (app: string) => string;
}

/** A variable, with or without a type, that gets such a value. */
const made = (value: RegExp) => new RegExp(`(\\w+)(?:\\s*:[^=\\n]+)?\\s*=\\s*${value.source}`);

export const SERVER_FRAMEWORKS: Readonly<Partial<Record<Framework, ServerFramework>>> = {
  express: {
    guard: 'expressGuard',
    made: made(/express\(/),
    inRoute: 'expressGuard(postern), ',
    route: (app) => `${app}.post(
  '/sign-up',
  express.urlencoded({ extended: false }),
  express.json(),
  expressGuard(postern),
  (request, response) => {
    response.json({ welcome: getSignUp(request).email });
  },
);`,
  },
  fastify: {
    guard: 'fastifyGuard',
    made: made(/(?:[Ff]astify|require\(['"]fastify['"]\))\(/),
    inRoute: '{ preHandler: fastifyGuard(postern) }, ',
    route: (app) => `${app}.post('/sign-up', { preHandler: fastifyGuard(postern) }, async (request) => ({
  welcome: getSignUp(request).email,
}));`,
  },
  hono: {
    guard: 'honoGuard',
    made: made(/new Hono\b/),
    inRoute: 'honoGuard(postern), ',
    route: (app) =>
      `${app}.post('/sign-up', honoGuard(postern), (context) => context.json({ welcome: getSignUp(context).email }));`,
  },
  koa: {
    guard: 'koaGuard',
    made: made(/new Koa\b/),
    inRoute: 'koaGuard(postern), ',
    route: (app) => `${app}.use(async (context, next) => {
  if (context.method !== 'POST' || context.path !== '/sign-up') return next();
  await koaGuard(postern)(context, async () => {
    context.body = { welcome: getSignUp(context).email };
  });
});`,
  },
};

const NAMES = ['server', 'app', 'index', 'main'];
const ENDINGS = ['ts', 'mjs', 'js', 'cjs'];
const FOLDERS = ['src/', ''];
/** Up to the handler: what stands before it (parsers, for example) has to run before the guard. A URL is somebody else’s. */
const SIGN_UP_ROUTE =
  /\w+\.post\(\s*(['"`])\/[^'"`]*(?:sign-?up|register|join)[^'"`]*\1\s*,\s*(?:[\w.]+(?:\([^()]*\))?\s*,\s*)*/i;
const POSTERN_CLIENT = `// POSTERN_URL, POSTERN_PROJECT_ID and POSTERN_SERVER_KEY come from the environment.
const postern = createPosternServerClient();
`;

interface EditedServer {
  readonly file: readonly [string, string];
  readonly nextSteps: readonly string[];
}

/** The file that makes the app, with the guard in its sign-up route. */
export function editServer(project: Project): EditedServer {
  const known = SERVER_FRAMEWORKS[project.framework];
  const paths = FOLDERS.flatMap((folder) =>
    NAMES.flatMap((name) => ENDINGS.map((end) => `${folder}${name}.${end}`)),
  );
  const path = paths.find((one) => known?.made.test(project.read(one) ?? ''));
  if (known === undefined || path === undefined) {
    throw new Error(
      `Found ${project.framework} in package.json, but no file such as server.js or src/index.ts that makes its app.`,
    );
  }
  const text = project.read(path) ?? '';
  const nextSteps = [`Start it with the variables in .env, for example: ${startCommand(project, path)}`];
  if (text.includes('@postern/sdk-node')) return { file: [path, text], nextSteps };
  const usesRequire = /\brequire\(/.test(text) && !/^import\b/m.test(text);
  const isGuarded = SIGN_UP_ROUTE.test(text);
  const names = ['createPosternServerClient', known.guard, ...(isGuarded ? [] : ['getSignUp'])]
    .sort(byName)
    .join(', ');
  const load = usesRequire
    ? `const { ${names} } = require('@postern/sdk-node');`
    : `import { ${names} } from '@postern/sdk-node';`;
  const withClient = insertClient(text, load, known);
  const app = known.made.exec(text)?.[1] ?? 'app';
  return {
    file: [path, isGuarded ? guarded(withClient, known) : withRoute(withClient, known, app)],
    nextSteps,
  };
}

/** The client stands before the app, or at the top if the app is made in a function, so that every route sees it. */
function insertClient(text: string, load: string, known: ServerFramework): string {
  const shebang = /^#!.*\n/.exec(text)?.[0] ?? '';
  const rest = text.slice(shebang.length);
  const line = rest.lastIndexOf('\n', known.made.exec(rest)?.index) + 1;
  const isInFunction = /^\s/.test(rest.slice(line));
  return isInFunction
    ? `${shebang}${load}\n\n${POSTERN_CLIENT}\n${rest}`
    : `${shebang}${load}\n${rest.slice(0, line)}${POSTERN_CLIENT}${rest.slice(line)}`;
}

/** Bun reads .env itself. Node 20 runs no TypeScript, so tsx does, which takes Node’s options. */
function startCommand({ manager }: Project, path: string): string {
  if (manager === 'bun') return `bun ${path}`;
  return `${path.endsWith('.ts') ? 'npx tsx' : 'node'} --env-file=.env ${path}`;
}

const byName = (a: string, b: string) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);

function guarded(text: string, { inRoute }: ServerFramework): string {
  const route = SIGN_UP_ROUTE.exec(text);
  if (route === null) return text;
  const end = route.index + route[0].length;
  const rest = text.slice(end);
  // Fastify’s guard is an option, which goes into options that are there already.
  const hasOptions = inRoute.startsWith('{') && rest.startsWith('{');
  return `${text.slice(0, end)}${hasOptions ? inRoute.replace(/ \}, $/, ',') : inRoute}${hasOptions ? rest.slice(1) : rest}`;
}

/** Before the app starts to listen. */
function withRoute(text: string, { route }: ServerFramework, app: string): string {
  const start = text.search(/^.*(?:\.listen\(|\bserve\(|export default)/m);
  const code = `${route(app)}\n\n`;
  return start === -1 ? `${text}\n${code}` : `${text.slice(0, start)}${code}${text.slice(start)}`;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../checkout.mjs';
import { readNavigation } from '../docs-site/navigation.mjs';

const RUN = 'scripts/code-blocks.test.ts';
const READMES = 'packages/sdk/test/readme.test.ts';
const LIVE = 'scripts/go-live.test.ts';
const FORM = 'node scripts/try.mjs first-form';
const NEEDS = (what) => `not run: ${what}`;

/**
 * What runs each code block of the docs. The first rule that fits decides: `file` and `heading` are where the block is,
 * `starts` is how its code starts.
 */
const RULES = [
  { file: /^packages\/sdk/, language: 'sh', by: 'packages/sdk/test/install.test.ts' },
  { file: /^packages\/sdk/, by: READMES },
  {
    file: /^docs\/guides\/(hooks|supabase|ory|workos|okta|zitadel|fusionauth)\.md$/,
    by: 'packages/service/test/hooks.test.ts, whose stand-ins send what each server sends',
  },
  {
    file: /^docs\/guides\/(auth0|clerk|firebase|cognito)\.md$/,
    by: 'packages/service/test/sign-in-recipes.test.ts',
  },
  { file: 'docs/guides/keycloak.md', by: NEEDS('Keycloak’s libraries') },
  { file: 'docs/step-up.md', language: 'sh', starts: 'node bench/', by: 'the command itself' },
  { file: 'docs/step-up.md', by: 'packages/service/test/step-up.test.ts, with the same requests' },
  { file: 'docs/claims.md', by: 'packages/service/test/claims.test.ts, with the same requests' },
  { file: /^docs\/guides\//, language: 'sh', starts: 'npm install', by: RUN },
  { file: /^(docs\/guides\/|examples\/README)/, by: 'npm run example NAME, node scripts/try.mjs frameworks' },
  { file: 'docs/recipes/swift.md', by: NEEDS('a Swift compiler, which Debian 12 does not have') },
  { file: 'docs/recipes/dotnet.md', by: NEEDS('.NET, which Debian does not have') },
  { file: /^docs\/recipes\//, by: 'deploy/trials/recipes.sh' },
  { file: 'README.md', heading: 'Postern', by: FORM },
  { file: 'README.md', language: 'html', by: FORM },
  { file: 'README.md', heading: 'Put it into a form', language: 'sh', by: FORM },
  { file: 'README.md', language: 'js', by: RUN },
  { file: 'docs/tutorial.md', starts: 'npm start', by: FORM },
  { file: 'docs/tutorial.md', by: RUN },
  {
    file: 'docs/go-live.md',
    starts: /^(docker compose (up|stop)|\(umask|git pull|npm install)/,
    by: NEEDS('Docker and a public name'),
  },
  { file: /^docs\/(go-live|gdpr)\.md$/, by: LIVE },
  { language: 'json', by: RUN },

  {
    file: /^docs\/contributing\/adding-a(-check|n-event|-command)\.md$/,
    by: 'packages/service/test/guides.test.ts',
  },
  {
    language: 'sh',
    starts: /^curl -s (http:\/\/127\.0\.0\.1:8080\/validate|\$POSTERN\/v1\/outcomes)/,
    by: RUN,
  },
  { file: 'docs/audit-log.md', language: 'sh', by: 'packages/service/test/audit.test.ts' },
  {
    file: 'docs/company-sign-in.md',
    by: 'packages/service/test/company-sign-in.test.ts, which uses the same settings and use cases',
  },
  { file: 'docs/configuration-as-code.md', by: 'packages/cli/test/apply.test.ts' },
  { file: 'docs/stores.md', starts: 'pg_dump', by: 'deploy/trials/platform-team.sh' },
  { file: 'docs/stores.md', starts: 'npx postern export', by: 'packages/cli/test/postgres.test.ts' },
  { file: 'docs/data-sources.md', starts: 'npx postern feeds', by: 'packages/cli/test/feeds.test.ts' },
  {
    file: 'docs/https.md',
    starts: 'POSTERN_HOST',
    by: NEEDS('port 443; reload.test.ts runs the service with these settings'),
  },
  {
    file: /^docs\/(self-hosting|stores|webhooks|outcomes|incidents|rules|concepts\/policies)\.md$/,
    starts: 'npx postern',
    by: RUN,
  },
  { language: /^(nginx|caddy)$/, by: 'deploy/trials/proxies.sh' },
  { file: 'docs/sdks.md', by: 'packages/sdk/test/install.test.ts' },
  { file: /^docs\/dashboard(-api)?\.md$/, language: 'sh', by: RUN },
  { file: 'deploy/README.md', by: NEEDS('Docker, systemd or Kubernetes') },
  { file: 'docs/threat-model.md', language: 'sh', by: NEEDS('registries on the internet') },
  { file: 'docs/scaling.md', by: RUN },
  { file: 'docs/accuracy.md', by: NEEDS('files of your own; CI runs npm run eval') },
  { file: 'eval/README.md', by: NEEDS('minutes; CI runs npm run eval') },
  { file: 'bench/README.md', by: NEEDS('a quiet machine') },
  { file: 'CONTRIBUTING.md', by: NEEDS('the checkout itself; CI runs npm run check and npm run eval') },
  {
    file: 'RELEASING.md',
    by: NEEDS('a checkout that becomes a release; scripts/set-version.test.ts tests the first step'),
  },
  { language: '', by: NEEDS('a drawing or an output, not code') },
];

/** Every code block of the site’s pages, with what runs it; `by` is undefined where no rule fits. */
export const readCodeBlocks = () => allBlocks().map((block) => ({ ...block, by: ruleFor(block)?.by }));

/** The rules that decide for no block. */
export function unusedRules() {
  const used = new Set(allBlocks().map(ruleFor));
  return RULES.filter((rule) => !used.has(rule));
}

const ruleFor = (block) => RULES.find((rule) => fits(rule, block));

function allBlocks() {
  const pages = readNavigation().flatMap((group) => group.pages);
  return pages.flatMap(({ file }) => (file === undefined ? [] : blocksOf(file)));
}

function blocksOf(file) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const blocks = [];
  let heading = '';
  for (const [, language, code, title] of text.matchAll(/^```([a-z]*)\n([\s\S]*?)^```$|^#+ ([^\n]*)$/gm)) {
    if (title !== undefined) heading = title;
    else blocks.push({ file, heading, language, code });
  }
  return blocks;
}

function fits({ file, heading, language, starts }, block) {
  return (
    matches(file, block.file) &&
    matches(heading, block.heading) &&
    matches(language, block.language) &&
    (starts === undefined ||
      (starts instanceof RegExp ? starts.test(block.code) : block.code.startsWith(starts)))
  );
}

function matches(wanted, value) {
  if (wanted === undefined) return true;
  return wanted instanceof RegExp ? wanted.test(value) : wanted === value;
}

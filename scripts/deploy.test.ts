import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../packages/service/src/settings.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const DEPLOYED = [
  'deploy/Dockerfile',
  'deploy/compose.yaml',
  'deploy/compose.https.yaml',
  'deploy/compose.secrets.yaml',
  'deploy/postern.service',
  'deploy/README.md',
  'deploy/helm/postern/values.yaml',
  'deploy/helm/postern/templates/deployment.yaml',
];
/** Variables of Compose, which become part of other settings, and an argument of the image’s build. */
const NOT_SETTINGS = new Set(['POSTERN_DB_PASSWORD', 'POSTERN_DOMAIN', 'POSTERN_COMMIT']);

/** Other trials call them. */
const PARTS_OF_TRIALS = new Set(['setup.sh', 'patroni-member.sh', 'next-version.sh']);

describe('the files in deploy/', () => {
  it('name only settings that exist', () => {
    const known = new Set<string>([...SETTINGS.map(({ name }) => name), ...NOT_SETTINGS]);
    for (const file of DEPLOYED) {
      const named = read(file).match(/POSTERN_(?:(?!_FILE)[A-Z_])*[A-Z]/g) ?? [];
      expect(
        named.filter((name) => !known.has(name)),
        file,
      ).toEqual([]);
    }
  });

  it('install every workspace that the lockfile knows', () => {
    const dockerfile = read('deploy/Dockerfile');
    const packages = readdirSync(new URL('packages/', root)).filter((name) =>
      existsSync(new URL(`packages/${name}/package.json`, root)),
    );
    expect(packages.length).toBeGreaterThan(5);
    for (const name of packages) {
      expect(dockerfile).toContain(`COPY packages/${name}/package.json packages/${name}/\n`);
    }
  });

  it('carry the version of the product, and no password', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const chart = read('deploy/helm/postern/Chart.yaml');
    expect(/^version: (.*)$/m.exec(chart)?.[1]).toBe(version);
    expect(/^appVersion: "(.*)"$/m.exec(chart)?.[1]).toBe(version);
    expect(read('deploy/compose.yaml')).not.toMatch(/PASSWORD: (?!"\$\{POSTERN_DB_PASSWORD:\?)/);
  });

  it('use only values that values.yaml explains, and no value is unused', () => {
    const folder = 'deploy/helm/postern/templates/';
    const templates = readdirSync(new URL(folder, root)).map((name) => read(`${folder}${name}`));
    const used = new Set(templates.flatMap((text) => text.match(/(?<=\.Values\.)[A-Za-z.]+/g) ?? []));
    const explained = valueNames(read('deploy/helm/postern/values.yaml'));
    expect([...used].filter((name) => !explained.has(name))).toEqual([]);
    const isUsed = (name: string) =>
      [...used].some((one) => one === name || one.startsWith(`${name}.`) || name.startsWith(`${one}.`));
    expect([...explained].filter((name) => !isUsed(name))).toEqual([]);
  });

  it('have a schema that knows every value of the chart and refuses others', () => {
    const schema = JSON.parse(read('deploy/helm/postern/values.schema.json'));
    const accepts = new Ajv({ allowUnionTypes: true }).compile(schema);
    const values = parse(read('deploy/helm/postern/values.yaml'));
    expect([accepts(values), accepts.errors]).toEqual([true, null]);
    expect(Object.keys(schema.properties).sort()).toEqual([...Object.keys(values), 'global'].sort());
    for (const wrong of [
      { replicsa: 3 },
      { replicas: '3' },
      { env: { POSTERN_LOG_RETENTION_DAYS: 14 } },
      { ingress: { ...values.ingress, hosts: 'a.example' } },
      { ingress: { ...values.ingress, host: 'a.example' } },
      { publicUrl: 'validate.example.com' },
      { probes: { readinessPath: '/ready' } },
      { secretFiles: [{ setting: 'POSTERN_SMTP_URL', secret: 'mail' }] },
    ])
      expect([wrong, accepts({ ...values, ...wrong })]).toEqual([wrong, false]);
    // The other secrets have values of their own: database.existingSecret and metrics.existingSecret.
    const others = new Set<string>(['POSTERN_DATABASE_URL', 'POSTERN_METRICS_TOKEN']);
    expect(schema.properties.secretFiles.items.properties.setting.enum.toSorted()).toEqual(
      SETTINGS.flatMap(({ name, secret }) => (secret && !others.has(name) ? [name] : [])).toSorted(),
    );
  });
});

it('the page about support names the versions that are tested', () => {
  const page = read('docs/support.md');
  const versions = (what: string) =>
    new RegExp(`^\\| ${what} \\| ([^|]*) \\|`, 'm').exec(page)?.[1]?.split(', ');
  const { jobs } = parse(read('.github/workflows/ci.yml'));
  expect(versions('Node')).toEqual(jobs.check.strategy.matrix.node.map(String));
  const { services } = parse(read('deploy/compose.yaml'));
  expect(services.postgres.image).toMatch(new RegExp(`^postgres:${versions('PostgreSQL')?.at(-1)}\\.`));
  expect(parse(read('deploy/helm/postern/Chart.yaml')).kubeVersion).toBe(
    `>=${versions('Kubernetes')?.[0]?.replace(' and newer', '')}.0-0`,
  );
});

describe('what others publish', () => {
  const workflows = readdirSync(new URL('.github/workflows/', root)).map(
    (name) => `.github/workflows/${name}`,
  );

  it('runs in workflows at a commit, with its version beside it', () => {
    for (const file of [...workflows, 'docs/configuration-as-code.md']) {
      const actions = read(file).match(/(?<=\buses: ).*/g) ?? [];
      expect(actions.length, file).toBeGreaterThan(0);
      for (const action of actions) expect(action, file).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it('runs in containers at a digest, with its tag beside it', () => {
    const dockerfile = read('deploy/Dockerfile');
    const stages = new Set(dockerfile.match(/(?<=^FROM .* AS )\S+/gm));
    const images = [
      ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].flatMap(([, image = '']) =>
        stages.has(image) ? [] : [image],
      ),
      ...workflows.flatMap((file) => read(file).match(/(?<=\bcontainer: ).*/g) ?? []),
      ...readdirSync(new URL('deploy/', root))
        .filter((name) => /^compose.*\.yaml$/.test(name))
        .flatMap((name) => read(`deploy/${name}`).match(/(?<=\bimage: ).*/g) ?? []),
    ];
    expect(images.map((image) => image.split(':')[0])).toEqual(['node', 'debian', 'caddy', 'postgres']);
    for (const image of images) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });
});

it('the weekly workflow runs every trial', () => {
  const workflow = read('.github/workflows/trials.yml');
  const trials = [
    ...readdirSync(new URL('deploy/trials/', root)).filter((name) => name.endsWith('.sh')),
    ...readdirSync(new URL('scripts/', root)).filter((name) => /^(try|first)-/.test(name)),
  ].filter((name) => !PARTS_OF_TRIALS.has(name));
  expect(trials.length).toBeGreaterThan(5);
  for (const name of trials) expect(workflow, name).toContain(name);
  const called = workflow.match(/\b(try|first)-[a-z-]+\.mjs|(?<=trial: )[a-z-]+\.sh/g) ?? [];
  expect(new Set(called)).toEqual(new Set(trials));
});

/** The names in a values file that has at most three levels, such as `networkPolicy.database.port`. */
function valueNames(yaml: string): Set<string> {
  const names = new Set<string>();
  const path: string[] = [];
  for (const [, indent = '', name = ''] of yaml.matchAll(/^( *)([A-Za-z]+):/gm)) {
    path.splice(indent.length / 2, path.length, name);
    names.add(path.join('.'));
  }
  return names;
}

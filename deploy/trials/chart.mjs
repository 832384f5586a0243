/** Checks the objects that the chart becomes: chart.mjs RENDER_PROGRAM */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'postern-chart-'));
function render(values) {
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  const options = { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' };
  const objects = JSON.parse(execFileSync(process.argv[2], ['deploy/helm/postern', file], options));
  return new Map(objects.map((object) => [object.kind, object]));
}

const NEEDED = {
  image: { repository: 'registry.example/postern' },
  database: { existingSecret: 'database' },
};
const SELECTOR = { 'app.kubernetes.io/name': 'postern', 'app.kubernetes.io/instance': 'trial' };
const cases = {
  'the defaults': () => {
    const objects = render(NEEDED);
    assert.deepEqual([...objects.keys()].sort(), ['Deployment', 'Job', 'PodDisruptionBudget', 'Service']);
    const { spec } = objects.get('Deployment');
    assert.equal(spec.replicas, 2);
    assert.deepEqual(spec.selector.matchLabels, SELECTOR);
    const [container] = spec.template.spec.containers;
    assert.equal(container.securityContext.readOnlyRootFilesystem, true);
    assert.equal(spec.template.spec.securityContext.runAsNonRoot, true);
    assert.deepEqual(objects.get('PodDisruptionBudget').spec.selector.matchLabels, SELECTOR);
    assert.equal(objects.get('PodDisruptionBudget').spec.maxUnavailable, 1);
    const job = objects.get('Job');
    assert.equal(job.metadata.annotations['helm.sh/hook'], 'pre-upgrade');
    assert.deepEqual(job.spec.template.spec.containers[0].command, ['postern', 'migrate']);
    assert.equal(job.spec.template.spec.containers[0].env[0].name, 'POSTERN_DATABASE_URL');
  },
  'the image by the chart’s version, by a tag and by a digest': () => {
    const image = (more) =>
      render({ ...NEEDED, image: { ...NEEDED.image, ...more } }).get('Deployment').spec.template.spec
        .containers[0].image;
    const digest = `sha256:${'0'.repeat(64)}`;
    assert.match(image({}), /^registry\.example\/postern:\d+\.\d+\.\d+$/);
    assert.equal(image({ tag: '1.2.3' }), 'registry.example/postern:1.2.3');
    assert.equal(image({ tag: '1.2.3', digest }), `registry.example/postern@${digest}`);
  },
  'the database’s URL as a file, further volumes and egress': () => {
    const extra = {
      extraVolumes: [{ name: 'ca' }],
      extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/ca' }],
    };
    const networkPolicy = { enabled: true, extraEgress: [{ ports: [{ port: 587 }] }] };
    const database = { ...NEEDED.database, asFile: true };
    const objects = render({ ...NEEDED, ...extra, networkPolicy, database });
    for (const kind of ['Deployment', 'Job']) {
      const { containers, volumes } = objects.get(kind).spec.template.spec;
      assert.ok(containers[0].env.some(({ name }) => name === 'POSTERN_DATABASE_URL_FILE'));
      assert.ok(!containers[0].env.some(({ name }) => name === 'POSTERN_DATABASE_URL'));
      for (const name of ['database', 'ca']) {
        assert.ok(volumes.some((volume) => volume.name === name));
        assert.ok(containers[0].volumeMounts.some((mount) => mount.name === name));
      }
    }
    assert.deepEqual(objects.get('NetworkPolicy').spec.egress.at(-1), { ports: [{ port: 587 }] });
  },
  'nothing is rendered without an image or a database': () => {
    assert.throws(() => render({ database: NEEDED.database }), /image.repository must name/);
    assert.throws(() => render({ image: NEEDED.image }), /database.existingSecret must name/);
  },
  'Ingress with two hosts, a class and TLS': () => {
    const ingress = {
      enabled: true,
      className: 'nginx',
      hosts: ['a.example', 'b.example'],
      tlsSecret: 'certificate',
    };
    const objects = render({ ...NEEDED, ingress });
    const { spec } = objects.get('Ingress');
    assert.equal(spec.ingressClassName, 'nginx');
    assert.deepEqual(spec.tls, [{ secretName: 'certificate', hosts: ['a.example', 'b.example'] }]);
    assert.deepEqual(
      spec.rules.map(({ host }) => host),
      ['a.example', 'b.example'],
    );
    const [path] = spec.rules[0].http.paths;
    assert.equal(path.path, '/');
    const { name, port } = path.backend.service;
    const service = objects.get('Service');
    assert.equal(name, service.metadata.name);
    assert.ok(service.spec.ports.some((one) => one.name === port.name));
    assert.throws(() => render({ ...NEEDED, ingress: { enabled: true } }), /at least one host/);
  },
  'ServiceMonitor, with and without a token': () => {
    const serviceMonitor = { enabled: true, labels: { release: 'stack' } };
    const objects = render({ ...NEEDED, serviceMonitor });
    const monitor = objects.get('ServiceMonitor');
    assert.equal(monitor.metadata.labels.release, 'stack');
    assert.deepEqual(monitor.spec.selector.matchLabels, SELECTOR);
    const service = objects.get('Service');
    for (const [label, value] of Object.entries(SELECTOR))
      assert.equal(service.metadata.labels[label], value);
    const [plain] = monitor.spec.endpoints;
    assert.deepEqual(plain, { port: 'http', path: '/metrics', interval: '30s', scrapeTimeout: '10s' });
    const [endpoint] = render({ ...NEEDED, serviceMonitor, metrics: { existingSecret: 'token' } }).get(
      'ServiceMonitor',
    ).spec.endpoints;
    assert.deepEqual(endpoint.authorization, { credentials: { name: 'token', key: 'token' } });
  },
  'the autoscaler replaces the fixed number of replicas': () => {
    const objects = render({ ...NEEDED, autoscaling: { enabled: true } });
    assert.equal(objects.get('Deployment').spec.replicas, undefined);
    const { spec } = objects.get('HorizontalPodAutoscaler');
    assert.equal(spec.scaleTargetRef.name, objects.get('Deployment').metadata.name);
    assert.equal(spec.metrics[0].resource.target.averageUtilization, 60);
  },
  'network policy, feeds from a mirror and own settings': () => {
    const objects = render({
      ...NEEDED,
      networkPolicy: { enabled: true },
      feeds: { sources: [{ name: 'own', url: 'https://mirror.example/x', format: 'domains' }] },
      env: { POSTERN_LOG_RETENTION_DAYS: '14' },
      envFrom: [{ secretRef: { name: 'postern-secrets' } }],
      secretFiles: [{ setting: 'POSTERN_OIDC_CLIENT_SECRET', secret: 'sign-in', key: 'client-secret' }],
    });
    const [container] = objects.get('Deployment').spec.template.spec.containers;
    const value = (name) => container.env.find((one) => one.name === name)?.value;
    assert.equal(value('POSTERN_FEEDS'), '/etc/postern/feeds.json');
    assert.equal(value('POSTERN_LOG_RETENTION_DAYS'), '14');
    assert.deepEqual(container.envFrom, [{ secretRef: { name: 'postern-secrets' } }]);
    assert.equal(JSON.parse(objects.get('ConfigMap').data['feeds.json'])[0].name, 'own');
    assert.ok(objects.has('NetworkPolicy'));
    const file = value('POSTERN_OIDC_CLIENT_SECRET_FILE');
    const mount = container.volumeMounts.find(({ mountPath }) => file.startsWith(`${mountPath}/`));
    const { volumes } = objects.get('Deployment').spec.template.spec;
    const [source] = volumes.find(({ name }) => name === mount.name).projected.sources;
    assert.deepEqual(source.secret, {
      name: 'sign-in',
      items: [{ key: 'client-secret', path: file.slice(mount.mountPath.length + 1) }],
    });
  },
};

for (const [name, test] of Object.entries(cases)) {
  test();
  console.log(`ok: ${name}`);
}
rmSync(folder, { recursive: true });

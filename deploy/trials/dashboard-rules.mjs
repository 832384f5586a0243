/** Writes each expression of a Grafana dashboard as a recording rule, so that promtool can check it. */
import { readFileSync } from 'node:fs';

const dashboard = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const rules = expressions.map((expr, index) => ({
  record: `dashboard:expression_${index}`,
  // Grafana replaces its variables before Prometheus sees them.
  expr: expr.replaceAll('$instance', '.*').replaceAll('$job', 'postern'),
}));
// JSON is YAML.
process.stdout.write(`${JSON.stringify({ groups: [{ name: 'dashboard', rules }] })}\n`);

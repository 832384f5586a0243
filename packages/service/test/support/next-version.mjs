// Loaded before the service: makes it the next version, or with NEXT_VERSIONS=2 the one after that. Each has one more
// step that changes busy tables and can run beside the version before it, but not before that.
import { register } from 'node:module';

const versions = Number(process.env.NEXT_VERSIONS ?? 1);
const hooks = `
const STEPS = {
  postgres: [
    "ALTER TABLE validation_log ADD COLUMN next_fact TEXT NOT NULL DEFAULT 'none'",
    'CREATE TABLE next_table (project_id TEXT NOT NULL PRIMARY KEY); ALTER TABLE quota ADD COLUMN next_count INTEGER',
  ],
  sqlite: [
    'ALTER TABLE validation_log ADD COLUMN next_fact TEXT',
    'CREATE TABLE next_table (project_id TEXT NOT NULL PRIMARY KEY); ALTER TABLE quota ADD COLUMN next_count INTEGER',
  ],
};
// The schemas are in a file of their own or in a bundle, where code at the end would run too late.
const SCHEMAS = /const (postgres|sqlite)Migrations = stepsIn\\(['"]\\w+['"]\\);/g;
const withSteps = (schemas, engine) => schemas + STEPS[engine].slice(0, ${versions}).map((sql, index) =>
  '\\n{ const steps = ' + engine + 'Migrations; steps.push({ number: steps.length + 1, name: "next-' + index +
  '", sql: ' + JSON.stringify(sql) + ', compatibleFrom: steps.length }); }').join('');
export async function load(url, context, next) {
  const loaded = await next(url, context);
  // A worker thread runs these hooks a second time.
  if (!url.includes('/packages/service/dist/') || String(loaded.source).includes('next-0')) return loaded;
  return { ...loaded, source: String(loaded.source).replace(SCHEMAS, withSteps) };
}
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`, import.meta.url);

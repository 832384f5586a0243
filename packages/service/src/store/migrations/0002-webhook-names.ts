import type { Migration } from '../migration.ts';

export const webhookNames: Migration = {
  number: 2,
  name: 'webhook names',
  sql: `
-- What people call it.
ALTER TABLE webhook ADD COLUMN name TEXT;

-- Deliveries are counted by how they ended.
DROP INDEX delivery_by_webhook;
CREATE INDEX delivery_by_webhook ON delivery (project_id, webhook_id, id, state);
`,
};

import type { Migration } from '../../migration.ts';
import { accountTables } from '../../migrations/account-tables.ts';
import { eventTables } from '../../migrations/event-tables.ts';
import { requestTables } from '../../migrations/request-tables.ts';
import { ALL_EVENTS } from '../../tables/webhook-table.ts';

export const tables: Migration = {
  number: 1,
  name: 'tables',
  sql: `${requestTables('sqlite')}${accountTables}${eventTables}
-- An event is written with the validation that it tells of, by whoever writes the log: no writer can forget it.
CREATE TRIGGER validation_to_webhooks AFTER INSERT ON validation_log
WHEN NEW.recommendation <> 'allow' AND NEW.mode = 'live'
BEGIN
  INSERT INTO delivery (project_id, id, webhook_id, event_id, type, log_id, state, attempts, next_at)
  SELECT NEW.project_id, NEW.id || '-' || w.id, w.id, NEW.id,
    CASE NEW.recommendation WHEN 'flag' THEN 'validation.flagged' ELSE 'validation.blocked' END,
    NEW.id, 'pending', 0, 0
  FROM webhook w WHERE w.project_id = NEW.project_id AND w.disabled_at IS NULL
    AND (w.events = '${ALL_EVENTS}' OR instr(w.events,
      CASE NEW.recommendation WHEN 'flag' THEN ' validation.flagged ' ELSE ' validation.blocked ' END) > 0);
END;
`,
};

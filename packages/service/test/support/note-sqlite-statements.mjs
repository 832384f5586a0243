import { appendFileSync } from 'node:fs';
import Libsql from 'libsql';

// Loaded into the store’s threads before their own code. Notes each statement that they prepare, once, as a line of JSON.
const file = process.env.POSTERN_TEST_STATEMENTS;
const noted = new Set();
const { prepare } = Libsql.prototype;
Libsql.prototype.prepare = function prepareNoted(sql) {
  if (!noted.has(sql)) appendFileSync(file, `${JSON.stringify(sql)}\n`);
  noted.add(sql);
  return prepare.call(this, sql);
};

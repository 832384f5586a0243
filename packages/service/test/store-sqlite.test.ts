import { sqliteDatabase } from './support/sqlite-database.ts';
import { storeContract } from './support/store-contract.ts';

storeContract('SQLite', sqliteDatabase);

import { keyOperations } from './keys.ts';
import { webhookOperations } from './webhooks.ts';

/** The operations that need only the store, so that the command line calls them as the dashboard does. */
export const storeOperations = { ...keyOperations, ...webhookOperations };

// The single script file for plain pages. Its exports become the global `Postern`.
import { canSubmit, isPosternError } from './core.ts';
import { createPosternClient } from './postern-client.ts';
import { startPage } from './start-page.ts';

export { canSubmit, createPosternClient, isPosternError };

startPage({ canSubmit, createPosternClient, isPosternError });

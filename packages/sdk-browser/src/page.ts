// The one script file for a plain page: what it exports becomes the global `Postern`.
export { isPosternError } from '@postern/sdk-core';
export { createPosternClient } from './postern-client.ts';

// The single script file for plain pages. Its exports become the global `Postern`.
export { isPosternError } from '@postern/sdk-core';
export { createPosternClient } from './postern-client.ts';

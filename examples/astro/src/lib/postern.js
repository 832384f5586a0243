import { createPosternServerClient } from '@postern/sdk-node';

export const postern = createPosternServerClient();

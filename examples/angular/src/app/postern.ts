import { createPosternClient } from '@postern/sdk-angular';

// The example’s server knows them. Your app can have them here.
const settings = await (await fetch('/settings')).json();
export const postern = createPosternClient(settings);

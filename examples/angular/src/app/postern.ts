import { createPosternClient, defineEmailElement } from 'postern~sdk';

// The example’s server knows the settings. Your app can have them here.
const settings = await (await fetch('/settings')).json();
defineEmailElement(createPosternClient(settings));

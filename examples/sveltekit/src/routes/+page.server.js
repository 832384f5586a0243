export { load } from './sign-up/+page.server.js';

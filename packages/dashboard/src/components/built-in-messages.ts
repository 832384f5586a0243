// Loaded only by the page that shows them.
export { LANGUAGES } from '@postern/contract';

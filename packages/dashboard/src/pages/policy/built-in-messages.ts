// Loaded only by the page that shows them.
export { builtInMessage } from '@postern/contract';

// In its own chunk, so that a page in English does not load it.
export { findFormTexts } from '@postern/contract';

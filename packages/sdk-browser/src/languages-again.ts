export { findFormTexts } from './languages.ts';

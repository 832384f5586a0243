export { fingerprint } from './fingerprint.ts';

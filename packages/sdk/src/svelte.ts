import { type AttachOptions, attach } from './attach.ts';
import type { ValidationClient } from './core.ts';

/** Protects a form: `<form {@attach postern(client)}>`. */
export function postern(
  client: ValidationClient,
  options: AttachOptions = {},
): (form: HTMLFormElement) => () => void {
  return (form) => attach(client, form, options).detach;
}

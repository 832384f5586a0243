import { type Attached, type AttachOptions, attach } from './attach.ts';
import type { ValidationClient } from './core.ts';

/** The client alone, or with options: `{ client, verdictField: 'token' }`. */
export type PosternBinding = ValidationClient | ({ client: ValidationClient } & AttachOptions);

const attached = new WeakMap<HTMLFormElement, Attached>();

/** Protects a form: `<form v-postern="client">`. */
export const vPostern: {
  mounted(form: HTMLFormElement, binding: { value: PosternBinding }): void;
  beforeUnmount(form: HTMLFormElement): void;
} = {
  mounted: (form, { value }) => {
    const { client, ...options } = 'client' in value ? value : { client: value };
    attached.set(form, attach(client, form, options));
  },
  beforeUnmount: (form) => attached.get(form)?.detach(),
};

/** What a person is doing when a site asks. A site may use other words of its own. */
export const REQUEST_EVENTS = {
  sign_up: 'creates an account; the default',
  email_change: 'changes the address of an account',
  invitation: 'is invited, or accepts an invitation',
  oauth: 'signs in with another provider for the first time',
  magic_link: 'asks for a link or a code by mail',
  trial: 'starts a trial',
} as const;

export type RequestEvent = keyof typeof REQUEST_EVENTS;

export const DEFAULT_EVENT: RequestEvent = 'sign_up';

const EVENT = /^[a-z_]{1,32}$/;
export const EVENT_RULE: string = 'must be 1 to 32 of the characters a to z and _';

export function isRequestEvent(text: string): boolean {
  return EVENT.test(text);
}

/** The checks, in the order that breaks ties between equally strong failures. */
export const CHECK_NAMES = ['syntax', 'disposable', 'mx', 'roleEmail', 'alias', 'device', 'ip'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** What a failed check does to the recommendation, weakest first. */
export const ACTIONS = ['allow', 'flag', 'block'] as const;
export type Action = (typeof ACTIONS)[number];
export type Recommendation = Action;

/** Which checks run, and the action of each. A check that is not named does not run. */
export type CheckActions = Partial<Record<CheckName, Action>>;

/** The policy of a project that never changed it. */
export const DEFAULT_ACTIONS: Readonly<Record<CheckName, Action>> = {
  syntax: 'block',
  disposable: 'block',
  mx: 'block',
  roleEmail: 'flag',
  alias: 'flag',
  device: 'flag',
  ip: 'flag',
};

export function isCheckName(value: string): value is CheckName {
  return (CHECK_NAMES as readonly string[]).includes(value);
}

export function isAction(value: unknown): value is Action {
  return value === 'allow' || value === 'flag' || value === 'block';
}

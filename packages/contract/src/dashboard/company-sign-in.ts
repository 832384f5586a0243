/** Why a company sign-in failed. The sign-in page gets the name in its address, and shows the text. */
export const COMPANY_PROBLEMS = {
  unreachable:
    'The company sign-in does not answer, so nobody can sign in with it right now. People who are signed in stay so. Try again in a few minutes.',
  misconfigured:
    'The company sign-in is not set up correctly. The service’s log says what is wrong; postern doctor checks it.',
  refused: 'The company sign-in refused. Try again, or ask the people who run it.',
  expired: 'This sign-in took too long, or was begun in another browser. Try again.',
  invalid: 'The company sign-in answered with a token that cannot be trusted. The service’s log says why.',
  'too-many':
    'Too many sign-ins from your network did not work. Try again in a quarter of an hour, or use another network.',
  'no-role':
    'You are known to the company sign-in but have no role here. Ask an owner to give you one there.',
  'no-address': 'The company sign-in did not tell your mail address, which an account needs.',
  'address-taken':
    'There is already an account with your address, and it was not verified that both are yours. Ask the people who run this service: postern user verify.',
} as const;

export type CompanyProblem = keyof typeof COMPANY_PROBLEMS;

/** A GET starts the company sign-in; the provider sends the person back to `/callback` below it, and posts to `/logout`. */
export const COMPANY_SIGN_IN_PATH = '/company';

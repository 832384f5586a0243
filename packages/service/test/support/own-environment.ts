/**
 * The environment of a program that a test starts: none of the settings around the tests, but their clock. A run under
 * libfaketime at the end of a month must move the service too.
 */
export const OWN_ENVIRONMENT: Readonly<NodeJS.ProcessEnv> = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(PATH|TZ|LD_PRELOAD|FAKETIME.*)$/.test(name)),
);

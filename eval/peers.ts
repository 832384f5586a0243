import { createRequire } from 'node:module';

/**
 * The npm packages that do parts of the same job, called as their own documentation calls them. Several have no
 * types, so the types that we need are declared here.
 */
const require = createRequire(import.meta.url);

type Predicate = (text: string) => boolean | Promise<boolean>;
type Rewriter = (text: string) => string | undefined;

export interface Peer<Judge> {
  readonly name: string;
  readonly judge: Judge;
}

function load<T>(name: string): T {
  return require(name) as T;
}

/** Whether the peer accepts the address. */
export function syntaxPeers(): readonly Peer<Predicate>[] {
  const validator = load<{ isEmail: (text: string) => boolean }>('validator');
  const hapi = load<{ isEmailValid: (text: string) => boolean }>('@hapi/address');
  const emailValidator = load<{ validate: (text: string) => boolean }>('email-validator');
  const isemail = load<{ validate: (text: string) => boolean }>('isemail');
  const { z } = load<{ z: { email: () => { safeParse: (text: string) => { success: boolean } } } }>('zod');
  const schema = z.email();
  return [
    { name: 'validator', judge: (text) => validator.isEmail(text) },
    { name: '@hapi/address', judge: (text) => hapi.isEmailValid(text) },
    { name: 'isemail', judge: (text) => isemail.validate(text) },
    { name: 'email-validator', judge: (text) => emailValidator.validate(text) },
    { name: 'zod', judge: (text) => schema.safeParse(text).success },
    { name: 'deep-email-validator', judge: deepValidator('validateRegex', 'regex') },
  ];
}

/** Whether the peer calls the address disposable. */
export function disposablePeers(): readonly Peer<Predicate>[] {
  const mailchecker = load<{ isValid: (email: string) => boolean }>('mailchecker');
  const burner = load<{ isBurner: (email: string) => boolean }>('is-burner-email');
  const fakefilter = load<{ isFakeDomain: (domain: string) => string | false }>('fakefilter');
  const curated = load<{ isDisposableEmailDomain: (domain: string) => boolean }>(
    'disposable-email-domains-js',
  );
  const deep = deepValidator('validateDisposable', 'disposable');
  const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);
  return [
    { name: 'mailchecker', judge: (email) => !mailchecker.isValid(email) },
    { name: 'deep-email-validator', judge: async (email) => !(await deep(email)) },
    { name: 'is-burner-email', judge: (email) => burner.isBurner(email) },
    {
      name: 'disposable-email-domains-js',
      judge: (email) => curated.isDisposableEmailDomain(domainOf(email)),
    },
    { name: 'fakefilter', judge: (email) => fakefilter.isFakeDomain(domainOf(email)) !== false },
  ];
}

/** The domain that the peer suggests instead. */
export function typoPeers(): readonly Peer<Rewriter>[] {
  interface Checker {
    readonly run: (options: { email: string }) => { domain: string } | undefined;
  }
  const mailcheck = load<Checker>('mailcheck');
  const zootools = load<{ default: Checker }>('@zootools/email-spell-checker').default;
  return [
    { name: 'mailcheck', judge: (email) => mailcheck.run({ email })?.domain },
    { name: '@zootools/email-spell-checker', judge: (email) => zootools.run({ email })?.domain },
  ];
}

/** The peer’s canonical form of the address. */
export function aliasPeers(): readonly Peer<Rewriter>[] {
  const validator = load<{ normalizeEmail: (email: string) => string | false }>('validator');
  const normalize = load<(email: string) => string>('normalize-email');
  return [
    { name: 'validator', judge: (email) => validator.normalizeEmail(email) || undefined },
    { name: 'normalize-email', judge: (email) => normalize(email) },
  ];
}

/** Whether the peer lists the local part as a role. */
export async function rolePeers(): Promise<readonly Peer<Predicate>[]> {
  // The package has no types. With its name in a variable, the compiler does not ask for them.
  const name: string = 'role-based-email-addresses';
  const { default: roles } = (await import(name)) as { default: readonly string[] };
  const listed = new Set(roles);
  return [
    {
      name,
      judge: (email) => listed.has(email.slice(0, email.lastIndexOf('@'))),
    },
  ];
}

type DeepPart = 'regex' | 'disposable';
interface DeepAnswer {
  readonly validators: Readonly<Record<DeepPart, { readonly valid: boolean } | undefined>>;
}

/** deep-email-validator with one of its offline parts switched on; its live mail probing never runs here. */
function deepValidator(option: 'validateRegex' | 'validateDisposable', part: DeepPart): Predicate {
  const offline = {
    validateRegex: false,
    validateMx: false,
    validateTypo: false,
    validateDisposable: false,
    validateSMTP: false,
  };
  const { validate } = load<{ validate: (options: object) => Promise<DeepAnswer> }>('deep-email-validator');
  return async (email) =>
    (await validate({ ...offline, email, [option]: true })).validators[part]?.valid === true;
}

import {
  fieldRows,
  POLICY_FIELDS,
  type PolicyField,
  PROJECT_FIELDS,
  type ProjectField,
  type ProjectPatch,
} from '@postern/contract/project-fields';
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { UsageError } from './failure.ts';

/** What commander read: one entry for each option of the contract's field tables, in camel case. */
export interface ProjectOptions {
  readonly allowDomain?: readonly string[];
  readonly alwaysAllow?: readonly string[];
  readonly alwaysBlock?: readonly string[];
  readonly [option: string]: unknown;
}

type Field = ProjectField | PolicyField;

/** Collects an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** The options that `project create` and `project update` share. */
export function addProjectOptions(command: Command): Command {
  for (const field of [...Object.values(PROJECT_FIELDS), ...Object.values(POLICY_FIELDS)]) {
    const flags = `--${field.option} <${placeholder(field)}>`;
    if (isRepeatable(field)) command.option(flags, field.optionHelp, collect);
    else command.option(flags, field.optionHelp);
  }
  return command;
}

function placeholder(field: Field): string {
  switch (field.kind) {
    case 'choice': {
      const all = field.values.join('|');
      // All languages would push every explanation out of the window. A wrong value’s error names them.
      return all.length > 40 ? `${field.values.slice(0, 2).join('|')}|…` : all;
    }
    case 'domains':
      return 'pattern';
    case 'list':
      return 'entry';
    case 'actions':
      return 'check=action';
    case 'signals':
      return 'signal=action';
    case 'messages':
      return 'language.check=text';
    default:
      return field.kind;
  }
}

const REPEATABLE: readonly Field['kind'][] = ['domains', 'list', 'actions', 'signals', 'messages'];
const isRepeatable = ({ kind }: Field) => REPEATABLE.includes(kind);

/**
 * The options as a patch. The lists are left out: `create` sets them and `update` adds to them. The use cases check
 * the values.
 */
export function readProjectOptions(options: ProjectOptions): ProjectPatch {
  const { allowList: _allow, blockList: _block, ...fields } = PROJECT_FIELDS;
  const policy = readEach(POLICY_FIELDS, options);
  return {
    ...readEach(fields, options),
    ...(Object.keys(policy).length > 0 && { policy }),
  };
}

function readEach(fields: Readonly<Record<string, Field>>, options: ProjectOptions): Record<string, unknown> {
  const given = fieldRows(fields).flatMap(([name, field]) => {
    const value = options[optionKey(field)];
    return value === undefined ? [] : [[name, readValue(field, value)] as const];
  });
  return Object.fromEntries(given);
}

/** The name under which commander keeps an option. */
function optionKey({ option }: Field): string {
  return option.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function readValue(field: Field, value: unknown): unknown {
  if (field.kind === 'count') return readCount(field, String(value));
  if (field.kind === 'actions' || field.kind === 'signals') {
    return Object.fromEntries((value as readonly string[]).map((text) => readAction(field, text)));
  }
  if (field.kind === 'messages') return readMessages(field, value as readonly string[]);
  return value;
}

/** `de.disposable=text` by language and check. Without a language it is English; without a text it is `null`. */
function readMessages(
  { option }: Field,
  texts: readonly string[],
): Record<string, Record<string, string | null>> {
  const messages: Record<string, Record<string, string | null>> = {};
  for (const text of texts) {
    const [, tag = 'en', check, message] = /^(?:([\w-]+)\.)?(\w+)=(.*)$/s.exec(text) ?? [];
    if (check === undefined) {
      const example = 'language.check=text, for example de.disposable="Bitte eine andere Adresse."';
      throw new UsageError(`--${option} '${text}' is not valid. Write ${example}`);
    }
    messages[tag] = { ...messages[tag], [check]: message || null };
  }
  return messages;
}

function readAction({ option, kind }: Field, text: string): [string, string] {
  const [check, action, ...more] = text.split('=');
  if (!check || !action || more.length > 0) {
    const example = kind === 'actions' ? 'check=action, for example mx=flag' : 'signal=flag or signal=off';
    throw new UsageError(`--${option} '${text}' is not valid. Write ${example}.`);
  }
  return [check, action];
}

/** The use cases check the bounds. Text that is not a number is refused here, with the option's name. */
function readCount(field: Field & { kind: 'count' }, text: string): number | null {
  if (field.nullWord !== undefined && text === field.nullWord) return null;
  if (!/^\d+$/.test(text)) throw new UsageError(`--${field.option} takes a whole number, not "${text}".`);
  return Number(text);
}

/** Warns about allowed domains that allow more than they seem to. They are accepted anyway. */
export async function warnAboutPatterns(
  { terminal }: CommandContext,
  patterns: readonly string[] = [],
): Promise<void> {
  const { patternWarning } = await import('@postern/service/operations/allowed-domains');
  for (const pattern of patterns) {
    const warning = patternWarning(pattern);
    if (warning !== undefined) terminal.error(`${terminal.colors.yellow('Warning')}: ${warning}\n`);
  }
}

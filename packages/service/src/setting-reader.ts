import { readFileSync } from 'node:fs';
import { fileSettingOf, SETTINGS, type Setting } from './settings.ts';

/** All invalid settings together, each with its name. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The settings cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function optional<T extends string | readonly string[]>(value: T): T | undefined {
  return value.length === 0 ? undefined : value;
}

/** Reads settings and collects what is wrong with them. */
export class SettingReader {
  readonly #environment: Environment;
  readonly #faults: string[] = [];

  constructor(environment: Environment) {
    const { https_proxy: HTTPS_PROXY, no_proxy: NO_PROXY } = environment;
    this.#environment = { HTTPS_PROXY, NO_PROXY, ...environment };
  }

  /** Variables that look like settings but are not. They deserve a warning, because most are misspelt. */
  unknown(): readonly string[] {
    const names = new Set<string>(
      SETTINGS.flatMap((setting) => [setting.name, ...(setting.secret ? [fileSettingOf(setting)] : [])]),
    );
    return Object.keys(this.#environment).filter(
      // POSTERN_TEST_… belongs to the test suites.
      (name) => name.startsWith('POSTERN_') && !name.startsWith('POSTERN_TEST_') && !names.has(name),
    );
  }

  fault(name: string, what: string): void {
    this.#faults.push(`${name} ${what}`);
  }

  finish(): void {
    if (this.#faults.length > 0) throw new ConfigError(this.#faults);
  }

  text(name: Setting['name']): string {
    const value = this.#environment[name]?.trim();
    const setting = SETTINGS.find((one) => one.name === name);
    const file = setting?.secret ? this.#environment[fileSettingOf(setting)]?.trim() : undefined;
    if (file !== undefined && file !== '') return this.#fileText(name, value, file);
    if (value !== undefined && value !== '') return value;
    return setting?.default ?? '';
  }

  #fileText(name: string, value: string | undefined, file: string): string {
    if (value !== undefined && value !== '') this.fault(name, `and ${name}_FILE are both set; use one`);
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      this.fault(
        `${name}_FILE`,
        `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`,
      );
      return '';
    }
  }

  list(name: Setting['name']): readonly string[] {
    return this.text(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  integer(name: Setting['name'], least: number, most: number): number {
    const text = this.text(name);
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      this.fault(name, `must be a whole number from ${least} to ${most}, not "${text}"`);
    return value;
  }

  toggle(name: Setting['name']): boolean {
    return this.choice(name, ['on', 'off'] as const) === 'on';
  }

  choice<T extends string>(name: Setting['name'], choices: readonly T[]): T {
    const text = this.text(name).toLowerCase();
    const found = choices.find((choice) => choice === text);
    if (found === undefined) this.fault(name, `must be one of ${choices.join(', ')}, not "${text}"`);
    return found ?? (choices[0] as T);
  }
}

import { meaningOf, SETTINGS } from '@postern/service/settings';
import type { Colors } from './terminal.ts';

/** Every setting with its default and meaning, as the service reads them. */
export function settingsHelp(colors: Colors): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  const lines = SETTINGS.map((setting) => {
    const fallback = setting.default === '' ? '' : colors.dim(` [${setting.default}]`);
    return `  ${setting.name.padEnd(width)}  ${meaningOf(setting)}${fallback}`;
  });
  return ['Settings (environment variables, with their defaults):', ...lines, ''].join('\n');
}

// Loaded before the service: as if the packages of OpenTelemetry were not installed.
import { register } from 'node:module';

const hooks = `
export function resolve(specifier, context, next) {
  if (specifier.startsWith('@opentelemetry/')) throw new Error('Cannot find package ' + specifier);
  return next(specifier, context);
}
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`, import.meta.url);

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { OWN_ENVIRONMENT } from '../../../service/test/support/own-environment.ts';
import { repository } from './built-sdks.ts';

export interface Example {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts one of the examples against a service, the way its user does. */
export async function startExample(name: string, env: Record<string, string>): Promise<Example> {
  const child = spawn(process.execPath, [join(repository, 'examples', name, 'server.js')], {
    // A busy machine must not look like an outage.
    env: { ...OWN_ENVIRONMENT, PORT: '0', POSTERN_TIMEOUT_MS: '60000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let printed = '';
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const url = /Listening on (\S+)/.exec(printed)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => reject(new Error(`The example ended:\n${printed}`)));
  });
  return {
    origin,
    close: () => {
      child.kill();
      return exited;
    },
  };
}

#!/usr/bin/env node
import { runInit } from './init/run-init.ts';

process.exitCode = await runInit(process.argv.slice(2), {
  folder: process.cwd(),
  script: import.meta.filename,
  environment: process.env,
  isInteractive: process.stdin.isTTY === true,
  print: (text) => process.stdout.write(`${text}\n`),
});

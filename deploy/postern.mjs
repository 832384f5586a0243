#!/usr/bin/env node
/** The `postern` command of an installation that is built already: no compiler, no sources, nothing written. */
import { main } from '../packages/cli/dist/main.js';

process.exitCode = await main();

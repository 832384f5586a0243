import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Controller, Get, Header } from '@nestjs/common';

// Plain JavaScript, shared with the other examples.
const { POSTERN_SCRIPT, readSettings, signUpPage } = await import(
  pathToFileURL(join(process.cwd(), '../settings.js')).href
);

@Controller()
export class PageController {
  @Get()
  page(): string {
    return signUpPage(readSettings());
  }

  @Get('postern.js')
  @Header('Content-Type', 'text/javascript')
  script(): string {
    return readFileSync(POSTERN_SCRIPT, 'utf8');
  }
}

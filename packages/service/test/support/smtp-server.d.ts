/** The parts of smtp-server that tests use. The package has no types of its own. */
declare module 'smtp-server' {
  import type { Server } from 'node:net';
  import type { Readable } from 'node:stream';

  interface Session {
    readonly envelope: { readonly rcptTo: readonly { readonly address: string }[] };
  }
  export class SMTPServer {
    readonly server: Server;
    constructor(options: {
      readonly authOptional: boolean;
      readonly disabledCommands: readonly string[];
      readonly onData: (stream: Readable, session: Session, done: (error?: Error) => void) => void;
    });
    listen(port: number, host: string, callback: () => void): void;
    close(callback: () => void): void;
  }
}

/** The parts of nodemailer that are used here. The package has no types of its own. */
declare module 'nodemailer' {
  export interface Mail {
    readonly from: string;
    readonly to: string;
    readonly subject: string;
    readonly text: string;
    readonly headers?: Readonly<Record<string, string>>;
  }
  export interface Transport {
    sendMail(mail: Mail): Promise<unknown>;
    close(): void;
  }
  export function createTransport(options: Readonly<Record<string, unknown>>): Transport;
}

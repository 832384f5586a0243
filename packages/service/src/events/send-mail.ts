import type { Transporter } from 'nodemailer';

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** The same for every attempt, so that mail programs can recognise repeats. */
  readonly messageId?: string;
}

export interface MailSender {
  send(mail: Mail): Promise<void>;
  close(): void;
}

export interface MailSettings {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the start. */
  readonly url: string;
  readonly from: string;
}

const TIMEOUT_MS = 10_000;

/** Sends mail over the operator’s own SMTP server. The library is loaded when the first mail is sent. */
export function createMailSender({ url, from }: MailSettings): MailSender {
  let transport: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // Nothing in it may make the library read a file or fetch a URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  return {
    async send({ to, subject, text, html, messageId }) {
      transport ??= open();
      const headers = messageId === undefined ? {} : { headers: { 'Message-ID': `<${messageId}@postern>` } };
      await (await transport).sendMail({
        from,
        to,
        subject,
        text,
        ...(html !== undefined && { html }),
        ...headers,
      });
    },
    close() {
      void transport?.then((opened) => opened.close());
    },
  };
}

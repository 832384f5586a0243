import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';

interface ReceivedMail {
  readonly to: readonly string[];
  /** Headers and body. Quoted-printable is decoded. */
  readonly text: string;
}

export interface Mailbox {
  readonly received: readonly ReceivedMail[];
  /** The codes that were mailed to an address, when so many have come: an answer does not wait long for the mail. */
  readonly codesFor: (email: string, count?: number) => Promise<string[]>;
  /** Settings that make a service send its mail here. */
  readonly env: Readonly<Record<string, string>>;
  /** Answers every further mail with a refusal. */
  readonly refuse: () => void;
  readonly close: () => Promise<void>;
}

/** A real SMTP server on loopback. */
export async function startMailbox(): Promise<Mailbox> {
  const received: ReceivedMail[] = [];
  let refusing = false;
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refusing) return done(new Error('The mailbox is full'));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, text: decoded(Buffer.concat(chunks).toString()) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as AddressInfo;
  const found = (email: string) =>
    received.flatMap(({ to, text }) => (to.includes(email) ? (/^(\d{6})\r?$/m.exec(text)?.[1] ?? []) : []));
  return {
    received,
    codesFor: async (email, count = 1) => {
      await expect.poll(() => found(email).length).toBeGreaterThanOrEqual(count);
      return found(email);
    },
    env: { POSTERN_SMTP_URL: `smtp://127.0.0.1:${port}`, POSTERN_SMTP_FROM: 'postern@example.com' },
    refuse: () => {
      refusing = true;
    },
    close: () => new Promise<void>((resolve) => smtp.close(resolve)),
  };
}

function decoded(mail: string): string {
  if (!/^content-transfer-encoding: quoted-printable/im.test(mail)) return mail;
  const bytes = mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

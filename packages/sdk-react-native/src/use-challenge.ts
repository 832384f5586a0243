import type { EmailField, ValidationClient } from 'postern~sdk/core';
import { useCallback, useState } from 'react';

/** What a flag asks for: the code that was mailed. Show it while it is not `null`; `handleSubmit` waits meanwhile. */
export interface CodeQuestion {
  /** Where the code was sent, that it was wrong, or that it was sent again. */
  readonly message: string;
  /** For the `<TextInput>` of the code. */
  readonly codeProps: {
    readonly accessibilityLabel: string;
    readonly autoComplete: 'one-time-code';
    readonly inputMode: 'numeric';
    readonly textContentType: 'oneTimeCode';
  };
  /** For the buttons. */
  readonly confirmText: string;
  readonly resendText: string;
  readonly skipText: string;
  confirm(code: string): Promise<void>;
  resend(): Promise<void>;
  /** The sign-up goes on as a flagged one. */
  skip(): void;
}

/** The question of the field, and what asks it. Apps ask for codes only; other challenges leave the sign-up flagged. */
export function useChallenge(
  client: ValidationClient,
  field: EmailField,
): { readonly question: CodeQuestion | null; readonly ask: () => Promise<void> } {
  const [question, setQuestion] = useState<CodeQuestion | null>(null);
  const ask = useCallback(async () => {
    const challenge = field.getState().validation?.challenge;
    const { answerChallenge } = client;
    if (challenge === undefined || answerChallenge === undefined) return;
    if (challenge.kind !== 'code') return field.settleChallenge(null);
    const { id, texts, language } = challenge;
    const address = field.getState().value.trim();
    await new Promise<void>((resolve) => {
      // Settled, or the person changed the address.
      const stop = field.subscribe(() => {
        if (field.getState().validation?.challenge?.id === id) return;
        stop();
        setQuestion(null);
        resolve();
      });
      const skip = () => field.settleChallenge(null);
      const confirm = async (code: string) => {
        try {
          const { body, verdict } = await answerChallenge(id, { proof: code });
          if (body?.passed === true) field.settleChallenge(verdict);
          else if (body?.triesLeft) show(texts.wrong);
          else skip();
        } catch {
          skip();
        }
      };
      const resend = async () => {
        const sent = await answerChallenge(id, { resend: true, email: address, locale: language }).catch(
          () => null,
        );
        if (sent?.body?.sent === true) show(texts.resent);
      };
      const show = (message: string) =>
        setQuestion({
          message,
          codeProps: {
            accessibilityLabel: texts.code,
            autoComplete: 'one-time-code',
            inputMode: 'numeric',
            textContentType: 'oneTimeCode',
          },
          confirmText: texts.confirm,
          resendText: texts.resend,
          skipText: texts.skip,
          confirm,
          resend,
          skip,
        });
      show(texts.sent.replace('{address}', () => address));
    });
  }, [client, field]);
  return { question, ask };
}

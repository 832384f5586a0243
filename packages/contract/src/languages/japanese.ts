import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'メールを受信できるメールアドレスを入力してください。';

export const JAPANESE_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: '現在このアドレスを確認できません。もう一度お試しください。',
  checking: 'アドレスを確認しています…',
  suggestion: '{address} ではありませんか？',
  accept: '{address} を使う',
};

export const JAPANESE: Language = {
  tag: 'ja',
  form: JAPANESE_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: '継続して使用できるメールアドレスを入力してください。',
    mx: 'このアドレスではメールを受信できません。@ より後の部分をご確認ください。',
    roleEmail: '共有のメールボックスではなく、ご自身のメールアドレスを入力してください。',
    alias: 'メールボックスのメインのアドレスを入力してください。',
    device: 'この登録を自動で受け付けることができませんでした。サポートまでお問い合わせください。',
    ip: 'この登録を確認できませんでした。別の接続からもう一度お試しください。',
    localPart: 'このメールサービスにそのようなアドレスはありません。@ より前の部分をご確認ください。',
  },
  again: 'メールアドレスを確認して、フォームをもう一度送信してください。',
  withScript: 'ブラウザーの JavaScript を有効にして、フォームをもう一度送信してください。',
  goBack: '前の画面に戻って、もう一度お試しください。',
};

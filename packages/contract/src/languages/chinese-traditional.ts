import type { FormTexts, Language } from './language.ts';

const MALFORMED = '請輸入可以接收郵件的電子郵件地址。';

export const CHINESE_TRADITIONAL_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: '我們現在無法檢查此地址。請再試一次。',
  checking: '正在檢查此地址…',
  suggestion: '您是想輸入 {address} 嗎？',
  accept: '使用 {address}',
};

export const CHINESE_TRADITIONAL: Language = {
  tag: 'zh-Hant',
  form: CHINESE_TRADITIONAL_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: '請使用長期有效的電子郵件地址。',
    mx: '此地址無法接收郵件。請檢查 @ 後面的部分。',
    roleEmail: '請使用您的個人電子郵件地址，不要使用共用信箱。',
    alias: '請使用您信箱的主要地址。',
    device: '我們無法自動接受此次註冊。請聯絡客服。',
    ip: '我們無法驗證此次註冊。請換一個網路連線後再試一次。',
    localPart: '該信箱服務商沒有這樣的地址。請檢查 @ 前面的部分。',
  },
  again: '請檢查您的電子郵件地址，然後重新送出表單。',
  withScript: '請在瀏覽器中啟用 JavaScript，然後重新送出表單。',
  goBack: '請返回並再試一次。',
};

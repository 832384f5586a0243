import type { FormTexts, Language } from './language.ts';

const MALFORMED = '请输入可以接收邮件的电子邮箱地址。';

export const CHINESE_SIMPLIFIED_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: '我们现在无法检查此地址。请重试。',
  checking: '正在检查此地址…',
  suggestion: '您是想输入 {address} 吗？',
  accept: '使用 {address}',
};

export const CHINESE_SIMPLIFIED: Language = {
  tag: 'zh-Hans',
  form: CHINESE_SIMPLIFIED_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: '请使用长期有效的电子邮箱地址。',
    mx: '此地址无法接收邮件。请检查 @ 后面的部分。',
    roleEmail: '请使用您的个人邮箱地址，不要使用共用邮箱。',
    alias: '请使用您邮箱的主地址。',
    device: '我们无法自动接受此次注册。请联系客服。',
    ip: '我们无法验证此次注册。请换一个网络连接后重试。',
    localPart: '该邮箱服务商没有这样的地址。请检查 @ 前面的部分。',
  },
  again: '请检查您的电子邮箱地址，然后重新提交表单。',
  withScript: '请在浏览器中启用 JavaScript，然后重新提交表单。',
  goBack: '请返回并重试。',
};

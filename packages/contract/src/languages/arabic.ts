import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'يرجى إدخال عنوان بريد إلكتروني يمكنه استقبال الرسائل.';

// U+2066 and U+2069 keep the address in one piece, left to right, inside a sentence from right to left.
export const ARABIC_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'تعذّر علينا التحقق من هذا العنوان الآن. يرجى المحاولة مرة أخرى.',
  checking: 'جارٍ التحقق من العنوان…',
  suggestion: 'هل تقصد \u2066{address}\u2069؟',
  accept: 'استخدام \u2066{address}\u2069',
};

export const ARABIC: Language = {
  tag: 'ar',
  form: ARABIC_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'يرجى استخدام عنوان بريد إلكتروني دائم.',
    mx: 'لا يمكن لهذا العنوان استقبال الرسائل. يرجى التحقق من الجزء الذي يلي علامة @.',
    roleEmail: 'يرجى استخدام عنوان بريدك الإلكتروني الشخصي بدلًا من صندوق بريد مشترك.',
    alias: 'يرجى استخدام العنوان الرئيسي لصندوق بريدك.',
    device: 'تعذّر علينا قبول هذا التسجيل تلقائيًا. يرجى التواصل مع فريق الدعم.',
    ip: 'تعذّر علينا التحقق من هذا التسجيل. يرجى المحاولة مرة أخرى من اتصال آخر.',
    localPart: 'لا يوجد عنوان كهذا لدى مزوّد البريد هذا. يرجى التحقق من الجزء الذي يسبق علامة @.',
  },
  again: 'يرجى التحقق من عنوان بريدك الإلكتروني وإرسال النموذج مرة أخرى.',
  withScript: 'يرجى تفعيل JavaScript في متصفحك وإرسال النموذج مرة أخرى.',
  goBack: 'يرجى الرجوع والمحاولة مرة أخرى.',
};

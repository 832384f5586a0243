import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Lütfen posta alabilen bir e-posta adresi girin.';

export const TURKISH_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Bu adresi şu anda kontrol edemedik. Lütfen tekrar deneyin.',
  checking: 'Adres kontrol ediliyor…',
  suggestion: 'Şunu mu demek istediniz: {address}?',
  accept: '{address} adresini kullan',
};

export const TURKISH: Language = {
  tag: 'tr',
  form: TURKISH_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Lütfen kalıcı bir e-posta adresi kullanın.',
    mx: 'Bu adres posta alamıyor. Lütfen @ işaretinden sonraki bölümü kontrol edin.',
    roleEmail: 'Lütfen ortak bir posta kutusu yerine kişisel e-posta adresinizi kullanın.',
    alias: 'Lütfen posta kutunuzun ana adresini kullanın.',
    device: 'Bu kaydı otomatik olarak kabul edemedik. Lütfen destek ekibiyle iletişime geçin.',
    ip: 'Bu kaydı doğrulayamadık. Lütfen başka bir bağlantıdan tekrar deneyin.',
    localPart: 'Bu sağlayıcıda böyle bir adres yok. Lütfen @ işaretinden önceki bölümü kontrol edin.',
  },
  again: 'Lütfen e-posta adresinizi kontrol edip formu tekrar gönderin.',
  withScript: 'Lütfen tarayıcınızda JavaScript’i açıp formu tekrar gönderin.',
  goBack: 'Lütfen geri dönüp tekrar deneyin.',
};

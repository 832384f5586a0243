import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'कृपया ऐसा ईमेल पता दर्ज करें जिस पर मेल मिल सके।';

export const HINDI_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'हम अभी इस पते की जाँच नहीं कर सके। कृपया फिर कोशिश करें।',
  checking: 'पते की जाँच हो रही है…',
  suggestion: 'क्या आपका मतलब {address} था?',
  accept: '{address} का उपयोग करें',
};

export const HINDI: Language = {
  tag: 'hi',
  form: HINDI_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'कृपया स्थायी ईमेल पते का उपयोग करें।',
    mx: 'इस पते पर मेल नहीं मिल सकता। कृपया @ के बाद का भाग जाँचें।',
    roleEmail: 'कृपया साझा मेलबॉक्स के बजाय अपने निजी ईमेल पते का उपयोग करें।',
    alias: 'कृपया अपने मेलबॉक्स के मुख्य पते का उपयोग करें।',
    device: 'हम इस साइन-अप को अपने-आप स्वीकार नहीं कर सके। कृपया सहायता टीम से संपर्क करें।',
    ip: 'हम इस साइन-अप की पुष्टि नहीं कर सके। कृपया किसी दूसरे कनेक्शन से फिर कोशिश करें।',
  },
  again: 'कृपया अपना ईमेल पता जाँचें और फ़ॉर्म फिर से भेजें।',
  withScript: 'कृपया अपने ब्राउज़र में JavaScript चालू करें और फ़ॉर्म फिर से भेजें।',
  goBack: 'कृपया वापस जाएँ और फिर कोशिश करें।',
};

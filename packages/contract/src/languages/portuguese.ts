import type { FormTexts, Language } from './language.ts';

const MALFORMED = 'Introduza um endereço de e-mail que possa receber mensagens.';

export const PORTUGUESE_FORM: FormTexts = {
  malformed: MALFORMED,
  unavailable: 'Não foi possível verificar este endereço de momento. Tente novamente.',
  checking: 'A verificar o endereço…',
  suggestion: 'Queria dizer {address}?',
  accept: 'Usar {address}',
};

export const PORTUGUESE: Language = {
  tag: 'pt',
  form: PORTUGUESE_FORM,
  messages: {
    syntax: MALFORMED,
    disposable: 'Use um endereço de e-mail permanente.',
    mx: 'Este endereço não pode receber mensagens. Verifique a parte depois do @.',
    roleEmail: 'Use o seu endereço de e-mail pessoal em vez de uma caixa de correio partilhada.',
    alias: 'Use o endereço principal da sua caixa de correio.',
    device: 'Não foi possível aceitar este registo automaticamente. Contacte o apoio ao cliente.',
    ip: 'Não foi possível verificar este registo. Tente novamente a partir de outra ligação.',
    localPart: 'Este fornecedor não tem um endereço assim. Verifique a parte antes do @.',
  },
  again: 'Verifique o seu endereço de e-mail e envie o formulário novamente.',
  withScript: 'Ative o JavaScript no seu navegador e envie o formulário novamente.',
  goBack: 'Volte atrás e tente novamente.',
};
